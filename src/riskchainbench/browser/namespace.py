"""A network namespace that holds nothing but a loopback device and the relay's socket.

It is the one layer of isolation that does not depend on Chromium. It needs the right to make
namespaces, which root has and a plain user mostly lacks.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import socket
import struct
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_CLONE_NEWNET = 0x40000000
_SIOCGIFFLAGS = 0x8913
_SIOCSIFFLAGS = 0x8914
_IFF_UP = 0x1


def namespaces_available() -> bool:
    """Tell whether this process may make a network namespace and start a program in it."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("nsenter") is None:
        return False
    try:
        NetworkNamespace().close()
    except OSError:
        return False
    return True


class NetworkNamespace:
    """A fresh namespace, alive as long as this object's descriptor is open.

    Raises:
        OSError: the kernel refuses.
    """

    def __init__(self) -> None:
        self._descriptor = _in_thread(_make)

    @property
    def path(self) -> str:
        """The file by which another program enters the namespace."""
        return f"/proc/{os.getpid()}/fd/{self._descriptor}"

    def listen(self) -> socket.socket:
        """Return a socket that listens on a free port inside the namespace."""

        def bind() -> socket.socket:
            _check(_libc().setns(self._descriptor, _CLONE_NEWNET))
            listener = socket.socket()
            listener.bind(("127.0.0.1", 0))
            listener.listen(128)
            return listener

        return _in_thread(bind)

    def close(self) -> None:
        """Let the namespace go; it ends with the last program inside."""
        os.close(self._descriptor)


def _make() -> int:
    _check(_libc().unshare(_CLONE_NEWNET))
    _raise_loopback()
    return os.open(f"/proc/self/task/{threading.get_native_id()}/ns/net", os.O_RDONLY)


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        name = b"lo".ljust(16, b"\0")
        request = struct.pack("16sh22x", name, 0)
        flags = struct.unpack("16sh22x", fcntl.ioctl(control, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sh22x", name, flags | _IFF_UP))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _in_thread(work: Callable[[], T]) -> T:
    """Run `work` in a thread of its own, since entering a namespace binds the thread for good."""
    results: list[T] = []
    errors: list[OSError] = []

    def run() -> None:
        try:
            results.append(work())
        except OSError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
