"""`make load` in small: it plays, measures and tells; what is measured is not judged here."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SMALL = "--tables 3 --seconds 1 --every 0.4 --times 1 --sockets 4 --rate 20 --rounds 1"


def test_a_small_house_and_a_small_echo():
    done = subprocess.run(
        [sys.executable, "-m", "tests.load", *SMALL.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "3 tables with 6 players wait" in done.stdout
    keys = [int(found) for found in re.findall(r"(\d+) keys/s for 1 s: heard after", done.stdout)]
    assert len(keys) == 2 and all(keys)
    assert re.search(r"full collection: \d+ ms", done.stdout)
    assert re.search(r"collection of all there is: \d+ ms", done.stdout)
    assert "medians of 1 rounds" in done.stdout
