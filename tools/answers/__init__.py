"""What a build of elbowroom answers, recorded and compared: behind the tools beside this folder.

`sheet` holds answers as columns, `reading` turns what the library returns into rows, `scenarios` lists what
is asked and runs it, and the modules called `ask_...` do the asking. `comparing` compares two recordings, and
`workloads`, `worker` and `guard` time two builds. Only the public names of elbowroom are used, so that all of
it runs with any build.
"""
