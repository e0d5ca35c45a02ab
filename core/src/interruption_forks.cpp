#include "elbowroom/cancellation.hpp"
#include "elbowroom/in_use.hpp"
#include "elbowroom/interruption.hpp"

namespace elbowroom {

namespace {

int forking = 0;    // forks that have begun: more than one if two threads fork
bool clean = true;  // at all of them, the other threads are where bodies are valid

}  // namespace

void Forks::before() {
    const bool now = interruption::before_fork();
    clean = now && (forking == 0 || clean);
    ++forking;
}

void Forks::after_in_parent() {
    --forking;
    interruption::after_fork_in_parent();
}

void Forks::after_in_child(bool handling) {
    forking = 0;
    cancellation::after_fork_in_child();
    interruption::after_fork_in_child();
    ++count;
    if (!clean) torn = count;
    if (handling) nested = count;
}

}  // namespace elbowroom
