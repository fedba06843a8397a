"""What a login costs beside its hash: the same parameters in libargon2, in the kernel, and in the Python library that
servers written in Python hash with."""

import statistics
import subprocess
import threading
import time

import argon2.low_level

import house
from house import CORES, Client, spread

HASHES = house.ROOT / ".build/release/hashes"
MEMORY_KIB, PASSES = 19456, 2


def flags():
    """Of the first processor."""
    with open("/proc/cpuinfo") as file:
        lines = dict(line.split(":", 1) for line in file.read().partition("\n\n")[0].splitlines())
    fields = {name.strip(): value.strip() for name, value in lines.items()}
    return fields.get("model name", "unknown processor"), set(fields.get("flags", "").split())


def instruction_set():
    """The widest that a kernel is written for, or none."""
    _, known = flags()
    return next((name for name in ("avx512bw", "avx2") if name in known), None)


def processor():
    model, _ = flags()
    return f"{model} ({instruction_set() or 'no kernel'})"


def alone(code, seconds):
    """`libargon2` or `kernel` on all cores: hashes a second, and processor microseconds a hash."""
    done = subprocess.run([HASHES, code, str(CORES), str(seconds)], capture_output=True, text=True, check=True)
    rate, milliseconds = map(float, done.stdout.split())
    return rate, milliseconds * 1000


def slowest_estimate():
    """Processor milliseconds it takes to judge the slowest password."""
    done = subprocess.run([HASHES, "estimates"], capture_output=True, text=True, check=True)
    return float(done.stdout)


def in_python(seconds):
    """Hashes a second of argon2-cffi on as many threads; it lets other threads run while it hashes."""
    counts = []

    def work():
        count, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            argon2.low_level.hash_secret_raw(
                b"a password", b"0123456789abcdef", PASSES, MEMORY_KIB, 1, 32, argon2.low_level.Type.ID)
            count += 1
        counts.append(count)

    start = time.monotonic()
    threads = [threading.Thread(target=work) for _ in range(CORES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.monotonic() - start)


def single_logins(server, count):
    """Milliseconds one login waits when it is alone, each after the machine was quiet for a moment."""
    times = []
    with Client(server.port) as client:
        request = client.request("POST", "/login", house.login_form("visitor0@example.com", house.PASSWORD))
        for _ in range(count):
            time.sleep(0.1)
            start = time.perf_counter()
            client.exchange(request)
            times.append((time.perf_counter() - start) * 1000)
    return times


def figures(table, options, server, logins, say):
    """`logins`: a run of so many seconds, as its rate and processor microseconds a login."""
    kernel = "kernel" if instruction_set() else "libargon2"
    rates = {"logins": [], "libargon2": [], kernel: [], "argon2-cffi": []}
    costs, hash_costs = [], []
    logins(1)
    for round in range(options.rounds):
        say(f"logins, and hashes alone, {round + 1} of {options.rounds}")
        rates["libargon2"].append(alone("libargon2", options.seconds)[0])
        rate, cost = logins(options.seconds)
        rates["logins"].append(rate)
        costs.append(cost / 1000)
        rate, cost = alone(kernel, options.seconds)
        rates[kernel].append(rate)
        hash_costs.append(cost / 1000)
        rates["argon2-cffi"].append(in_python(options.seconds))

    def against(other):
        return [a / b for a, b in zip(rates["logins"], rates[other])]

    def how(other):
        return f"{statistics.median(rates['logins']):.1f} ÷ {statistics.median(rates[other]):.1f} /s on {CORES} cores"

    table.amount(
        "the slowest password is judged, ms", [slowest_estimate() for _ in range(options.rounds)], 10,
        "10,000 characters, and words made of them; processor time")
    goal = {"avx2": 3.2, "avx512bw": 2.2}.get(instruction_set(), 0.95)
    table.ratio("logins ÷ bare libargon2", against("libargon2"), goal, how("libargon2"))
    table.ratio("logins ÷ bare kernel", against(kernel), 0.9, how(kernel))
    table.control("logins ÷ argon2-cffi", against("argon2-cffi"), how("argon2-cffi"), form="{:.2f}")
    table.control("processor time a login, ms", costs, f"a hash alone {spread(hash_costs, '{:.1f}')} ms")
    table.control("a single login waits, ms", single_logins(server, 20 * options.rounds), "alone on the machine")
