"""A batch as an array job on a real Slurm: a killed task, a requeued task and a drained node change nothing.

    slurm_test.py PROGRAM EXAMPLES_PROGRAM FOLDER [--items 200] [--shared FOLDER]

Starts and stops a cluster on this machine (cluster.sh). Exit code 77: Slurm is not installed.
"""
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "batch"))
from variants import campaign_parser, write_variants

SMALL = 600_000  # bytes of a shared character that is used
COMMAND = ["bind", "--quality", "draft"]


def hashes(out: Path) -> dict[str, str]:
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((out / "items").rglob("*.glb"))
    }


def make_inputs(args) -> Path:
    folder = args.folder / "in"
    shared = [p for p in sorted(args.shared.glob("*.glb")) if p.stat().st_size < SMALL][:20] if args.shared else []
    folder.mkdir(parents=True)
    for path in shared:
        shutil.copy(path, folder / path.name)
    write_variants(args.examples, args.folder / "examples", folder, args.items - len(shared))
    return folder


class Cluster:
    def __init__(self, folder: Path):
        self.folder = folder
        self.script = Path(__file__).with_name("cluster.sh")

    def __enter__(self):
        subprocess.run([self.script, "start", self.folder], check=True)
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")
        return self

    def __exit__(self, *_):
        subprocess.run([self.script, "stop", self.folder], check=True)

    @staticmethod
    def call(*words) -> str:
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()

    def running(self) -> list[str]:
        """Running tasks of arrays, as "12_3"."""
        rows = self.call("squeue", "-h", "-t", "running", "-o", "%i").split()
        return [row for row in rows if "_" in row]

    def queued(self) -> int:
        return len(self.call("squeue", "-h", "-r", "-o", "%i").split())

    def wait_for_running(self, without=()) -> str:
        for _ in range(600):
            found = [task for task in self.running() if task not in without]
            if found:
                return found[0]
            time.sleep(0.2)
        sys.exit("no task is running")


def process_of(task: str) -> int:
    """The process of `skincells batch` in a task."""
    wanted = f"SLURM_ARRAY_TASK_ID={task.split('_')[1]}".encode()
    for _ in range(200):
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if b"batch" in words and b"--shards" in words and wanted in (entry / "environ").read_bytes().split(b"\0"):
                    return int(entry.name)
            except OSError:
                continue
        time.sleep(0.05)
    sys.exit(f"task {task} has no process")


def disturb(cluster: Cluster) -> None:
    victim = cluster.wait_for_running()
    os.kill(process_of(victim), signal.SIGKILL)
    print(f"killed the process of task {victim}")
    again = cluster.wait_for_running(without=[victim])
    cluster.call("scontrol", "requeue", again)
    print(f"requeued task {again}")
    cluster.call("scontrol", "update", "nodename=n2", "state=drain", "reason=test")
    print("drained n2")
    time.sleep(10)
    cluster.call("scontrol", "update", "nodename=n2", "state=resume")
    print("resumed n2")


def main() -> None:
    parser = campaign_parser(items=200)
    parser.add_argument("--shared", type=Path)
    args = parser.parse_args()
    if not all(shutil.which(p, path=os.environ["PATH"] + ":/usr/sbin") for p in ("slurmctld", "slurmd", "munged", "sbatch")):
        print("skipped: Slurm is not installed (tools/setup.sh slurm)")
        sys.exit(77)
    shutil.rmtree(args.folder, ignore_errors=True)
    inputs = make_inputs(args)

    start = time.time()
    local = subprocess.run([args.program, "batch", inputs, "-o", args.folder / "local", "--quiet", "--", *COMMAND])
    print(f"local run: exit code {local.returncode}, {time.time() - start:.0f} s")

    out = args.folder / "out"
    start = time.time()
    with Cluster(args.folder / "cluster") as cluster:
        words = [args.program, "batch", inputs, "-o", out, "--slurm", "--submit", "--shards", "10", "--time", "60", "--mem", "500"]
        print(subprocess.run([*words, "--", *COMMAND], check=True, capture_output=True, text=True).stdout.strip())
        disturb(cluster)
        while cluster.queued():
            time.sleep(1)
            if time.time() - start > 1500:
                sys.exit("the jobs did not end")
        print(cluster.call("scontrol", "show", "job", "-o").count("Restarts=1"), "tasks were started twice")
    print(f"Slurm run: {time.time() - start:.0f} s")

    expected, found = hashes(args.folder / "local"), hashes(out)
    lines = [json.loads(line) for line in (out / "batch.jsonl").read_text().splitlines()]
    print(f"{len(found)} characters, {len(lines)} lines, {sum(line['status'] == 'failed' for line in lines)} failed")
    assert len(lines) == args.items, len(lines)
    assert all(line["status"] == "done" for line in lines)
    assert expected and expected == found, "the bytes differ from the local run"
    assert (out / "index.html").exists() and not (out / "lines").exists() and not (out / ".work").exists()
    print("the same bytes as the local run")


if __name__ == "__main__":
    main()
