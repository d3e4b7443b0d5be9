"""What the scripts here share that measure changes of the parameters: on recorded positions and by games."""
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys

WORKSPACE = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["change", "fall", "fall_error", "elo", "elo_error"]


def built():
    """The folder of the programs, built if need be."""
    subprocess.run(["cargo", "build", "--quiet", "--release", "--manifest-path", WORKSPACE / "Cargo.toml",
                    "--workspace", "--bins"], check=True)
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", WORKSPACE / "target")) / "release"


def keep_settings(folder, settings, result):
    """Keeps what the results of a folder depend on; ends the script where it was begun with something else, or where
    `result` is there and nothing says what it depends on."""
    kept = folder / "settings.json"
    if (folder / result).exists() and not kept.exists():
        sys.exit(f"error: {folder} has a {result} that does not say what it was measured with: name another folder")
    if kept.exists():
        before = json.loads(kept.read_text())
        for name, value in settings.items():
            if before.get(name) != value:
                sys.exit(f"error: {folder} has been begun with other {name}: name another folder")
        return
    folder.mkdir(parents=True, exist_ok=True)
    write_text(kept, json.dumps(settings, indent=1) + "\n")


def rows_of_regret(command):
    """What `tuner regret --csv` says, as a row for each change."""
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if ran.returncode:
        sys.exit("error: tuner regret failed")
    return list(csv.DictReader(io.StringIO(ran.stdout)))


def falls(tuner, options, path, changes, rest):
    """Fall in regret against the start and its standard error (10^-4) of each change; `path` keeps what was found."""
    rows = {}
    if path.exists():
        rows = {row["change"]: row for row in csv.DictReader(io.StringIO(path.read_text()))}
    missing = [change for change in changes if change not in rows]
    if missing:
        command = [tuner, "regret", "--csv", "--start", options.start, "--nodes", str(options.nodes),
                   "--threads", str(options.threads), "--judgements", options.folder / "judgements.csv", *rest]
        if "--positions" not in rest:
            command += ["--positions", WORKSPACE / "data/positions/champion.kgames"]
        for change in missing:
            command += ["--change", change]
        rows.update((row["change"], row) for row in rows_of_regret(command))
        write_rows(path, list(rows[missing[0]]), (list(row.values()) for row in rows.values()))
    return {change: (float(rows[change]["gain"]), float(rows[change]["error"])) for change in changes}


def known(path):
    """The changes that were measured already, with their figures."""
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        return {row["change"]: tuple(float(row[name]) for name in COLUMNS[1:]) for row in csv.DictReader(file)}


def write(path, points):
    """Writes the figures of all changes measured so far, whole or not at all."""
    write_rows(path, COLUMNS, ([change, *(f"{figure:.2f}" for figure in point)] for change, point in points.items()))


def write_rows(path, columns, rows):
    """Writes a CSV file, whole or not at all."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(rows)
    write_text(path, text.getvalue())


def write_text(path, text):
    """Writes a file, whole or not at all."""
    partial = path.with_suffix(".partial")
    partial.write_text(text, newline="")
    partial.replace(path)


def match(sprt, folder, words, pairs, threads):
    """Plays a match, or goes on with it, for all its pairs; what is to be said of it (`assessment` of its result.json)."""
    result = folder / "result.json"
    if not result.exists():
        command = [sprt, "resume", folder]
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            command = [sprt, "run", *words, "--pairs", str(pairs), "--no-early-stop", "--output", folder]
        status = subprocess.run([*command, "--threads", str(threads)], stdout=subprocess.DEVNULL).returncode
        if status > 2:  # up to 2 it is a verdict
            sys.exit(f"error: {folder.name}: sprt failed")
    return json.loads(result.read_text())["assessment"]


def elo(sprt, options, name, change, limit):
    """Elo of a change, NAME=VALUE,... from the start's values, and its standard error, by games with this limit."""
    # A sign is part of the name: changes to 90 and to -90 are two.
    folder = options.folder / "games" / re.sub(r"[^a-z0-9]+", "-", name.replace("=-", "=minus"))
    words = ["--candidate", options.start, *change.split(","), "--baseline", options.start, *limit]
    figures = match(sprt, folder, words, options.pairs, options.threads)["elo_if_fixed"]
    return figures["value"], figures["error"] / 1.96
