"""Parses the same JSON text again and again.

    DEADHEAT_RECORD=parse.jsonl PYTHONPATH=.. python3 parse.py 50

Arguments: iterations unless DEADHEAT_ITERATIONS says (default 20; 0 = until the runner says stop),
objects in the text (default 2000).
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from deadheat import Duet, DuetError  # noqa: E402


def main(iterations=20, objects=2000):
    text = json.dumps([{"id": i, "name": f"name {i}", "scores": [i / 3, i / 7]} for i in range(objects)])
    with Duet() as duet:
        duet.run("parse", lambda: json.loads(text), iterations, params={"objects": objects})
    print(f"characters: {len(text)}")


if __name__ == "__main__":
    try:
        main(*map(int, sys.argv[1:]))
    except DuetError as error:
        sys.exit(str(error))
