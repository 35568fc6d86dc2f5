"""Captures the packets of a network in files of ten seconds, and deletes files older than KEEP_SECONDS.

Usage: capture-packets.py NETWORK DIRECTORY, where NETWORK is the first three numbers of its addresses. Requires root.
"""

import ctypes
import os
import socket
import struct
import sys
import time

FILE_SECONDS = 10
# Longer than it takes until a call is measured.
KEEP_SECONDS = 180
ALL_IPV4 = 0x0800
OUTGOING = 4
SO_ATTACH_FILTER = 26


def attach_filter(listener, network):
    """Lets the kernel drop packets that are neither from nor to the network."""
    prefix = struct.unpack("!I", socket.inet_aton(network + ".0"))[0]
    load, mask, compare, give = 0x20, 0x54, 0x15, 0x06
    program = [
        (load, 0, 0, 12),
        (mask, 0, 0, 0xFFFFFF00),
        (compare, 3, 0, prefix),
        (load, 0, 0, 16),
        (mask, 0, 0, 0xFFFFFF00),
        (compare, 0, 1, prefix),
        (give, 0, 0, 0x40000),
        (give, 0, 0, 0),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
    listener.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HL", len(program), ctypes.addressof(code)))


def open_file(directory, now):
    for name in os.listdir(directory):
        if now - int(name.split(".")[0]) > KEEP_SECONDS:
            os.unlink(os.path.join(directory, name))
    file = open(os.path.join(directory, f"{int(now)}.pcap"), "wb")
    # Raw IP packets, with microseconds.
    file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))
    return file


def main(network, directory):
    listener = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ALL_IPV4))
    attach_filter(listener, network)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    began = time.time()
    file = open_file(directory, began)
    while True:
        packet, (interface, _, kind, _, _) = listener.recvfrom(65535)
        now = time.time()
        if now - began >= FILE_SECONDS:
            file.close()
            began, file = now, open_file(directory, now)
        # Packets between addresses of this machine are seen twice.
        if interface == "lo" and kind == OUTGOING:
            continue
        file.write(struct.pack("<IIII", int(now), int(now % 1 * 1e6), len(packet), len(packet)) + packet)


main(*sys.argv[1:])
