"""The server of viser: where it may listen, its lights and cameras, and what it must not do."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import rich
import viser
from viser import ViserServer

from .exhibit import Exhibit
from .gate import Gate


class Server(ViserServer):
    """A server that answers its own page only, and is never shared through another machine.

    Attributes
    ----------
    address
        Where browsers find it. Whoever has this address can see and change everything.
    """

    def __init__(self, host: str, port: int) -> None:
        gate = Gate(host)
        with quiet(), gate.guarding():
            super().__init__(host=host, port=port, verbose=False)
        if not gate.guards:
            self.stop()
            raise ImportError(
                f"viser {viser.__version__} cannot be protected from other users and web pages; "
                "install a version that can: pip install elbowroom[view]"
            )
        self.address = gate.address(self.get_port())

    def stop(self) -> None:
        """End the server and its threads."""
        with quiet():
            super().stop()

    def request_share_url(self, verbose: bool = True) -> str | None:
        """There is none."""
        return None


def check_host(host: str) -> None:
    """A ValueError unless this machine has such an address, which viser would look for for ever."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.bind(address)
    except OSError as error:
        raise ValueError(f"host: this machine has no address '{host}' ({error})") from error


def stage(server: ViserServer) -> None:
    """Lights that leave colours as they are, and a panel at the side."""
    scene = server.scene
    scene.configure_default_lights(enabled=False, cast_shadow=False)
    scene.configure_environment_map(None)
    scene.add_light_ambient("/lights/ambient", intensity=1.2)
    scene.add_light_directional("/lights/above", position=(2.0, 1.0, 4.0), intensity=2.2)
    scene.add_light_directional("/lights/behind", position=(-3.0, -2.0, -1.0), intensity=0.8)
    server.gui.configure_theme(show_logo=False, show_share_button=False, control_width="large")
    server.gui.main_panel.dock_right()


def look_at(server: ViserServer, exhibit: Exhibit) -> None:
    """Set all cameras so that the exhibit fills the picture, whatever its size."""
    low, high = exhibit.bounds()
    centre, size = (low + high) / 2, max(float(np.linalg.norm(high - low)), 1e-9)
    server.scene.set_up_direction("+y" if exhibit.up == "y" else "+z")
    aside = np.array([0.7, 0.35, 1.0] if exhibit.up == "y" else [0.5, -1.0, 0.45])
    position = centre + aside / np.linalg.norm(aside) * 0.8 * size
    cameras: list[Any] = [server.initial_camera, *(client.camera for client in server.get_clients().values())]
    for camera in cameras:
        camera.near, camera.far = size / 200, size * 50
        camera.position, camera.look_at = position, centre


@contextmanager
def quiet() -> Iterator[None]:
    """Viser tells on the console what it starts and stops; the command line has its own words."""
    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
