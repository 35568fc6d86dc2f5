"""Forwards Ethernet frames between two interfaces after a delay, and drops some of them.

Used instead of the kernel's netem, which is not part of every kernel.
Usage: slow-link.py FIRST SECOND DELAY_MS LOSS_PERCENT
"""

import collections
import random
import select
import socket
import sys
import time

SOL_PACKET = 263
# Frames carry the state of segmentation and checksum offloading, so that the receiver completes them.
PACKET_VNET_HDR = 15
PACKET_IGNORE_OUTGOING = 23
ETH_P_ALL = 3
LARGEST_FRAME = 70_000
# As in a router whose buffer is full, further frames are dropped.
MOST_WAITING = 20_000


def open_link(name):
    link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    link.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    link.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    link.bind((name, ETH_P_ALL))
    return link


def forward(first, second, delay_seconds, loss):
    other = {first: second, second: first}
    waiting = collections.deque()
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, target, frame = waiting.popleft()
            try:
                target.send(frame)
            except OSError:
                pass  # The interface is down, as after a power loss.
        timeout = max(waiting[0][0] - now, 0) if waiting else None
        for link in select.select([first, second], [], [], timeout)[0]:
            try:
                frame = link.recv(LARGEST_FRAME)
            except OSError:
                continue  # The interface went down.
            if random.random() >= loss and len(waiting) < MOST_WAITING:
                waiting.append((time.monotonic() + delay_seconds, other[link], frame))


first_name, second_name, delay_ms, loss_percent = sys.argv[1:]
links = open_link(first_name), open_link(second_name)
print("forwarding", flush=True)
forward(*links, float(delay_ms) / 1000, float(loss_percent) / 100)
