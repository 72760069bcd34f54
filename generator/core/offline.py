"""Cuts a process that reads a stranger's pack off the network, where the kernel can do that.

None of our code asks for the network there, and a pack runs no code: this is a second line of defence. Linux lets a
process filter its own system calls; neither the process nor its children can remove the filter.
"""

import ctypes
import platform
import sys
from types import MappingProxyType

_AUDIT_AND_SOCKET = MappingProxyType({"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)})
"""For each machine, the kernel's audit number (linux/audit.h) and the number of its call `socket`."""
_IO_URING, _OTHER_NUMBERS = 425, 0x40000000
"""The call io_uring_setup, which hides other calls from the filter; the first number of calls of the x32 ABI."""
_LOAD, _IS, _FROM, _GIVE = 0x20, 0x15, 0x35, 0x06
_NUMBER, _MACHINE = 0, 4
"""The offsets of both in seccomp_data (linux/seccomp.h)."""
_ALLOWED, _REFUSED = 0x7FFF0000, 0x00050000 | 13
_NO_NEW_PRIVILEGES, _FILTER, _BY_PROGRAM = 38, 22, 2


class _Step(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("value", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Step)))


def go_offline() -> bool:
    """Forbid this process to open sockets; return True if the system enforces that."""
    known = _AUDIT_AND_SOCKET.get(platform.machine())
    if sys.platform != "linux" or known is None:
        return False
    machine, socket = known
    told = (
        (_LOAD, 0, 0, _MACHINE),
        (_IS, 0, 4, machine),
        (_LOAD, 0, 0, _NUMBER),
        (_FROM, 2, 0, _OTHER_NUMBERS),
        (_IS, 1, 0, _IO_URING),
        (_IS, 0, 1, socket),
        (_GIVE, 0, 0, _REFUSED),
        (_GIVE, 0, 0, _ALLOWED),
    )
    steps = (_Step * len(told))(*(_Step(*row) for row in told))
    system = ctypes.CDLL(None)
    program = ctypes.byref(_Program(len(told), steps))
    return not system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) and not system.prctl(_FILTER, _BY_PROGRAM, program)
