import platform
import subprocess
import sys

import pytest

COUNT_FAULTS = """
import resource, torch
from torch import nn
from wdrop import predict

torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(8, 100), nn.ReLU(), nn.Dropout(0.1), nn.Linear(100, 100), nn.ReLU(), nn.Dropout(0.1),
                    nn.Linear(100, 20))
x = torch.randn(4096, 8)
predict(net, x, "closed_form")
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
predict(net, x, "closed_form")
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives freed memory back at once")
def test_a_second_prediction_asks_for_no_memory_that_the_first_gave_back() -> None:
    # Without `keep_freed_memory` this is some twenty thousand pages, and takes half of the time.
    done = subprocess.run([sys.executable, "-c", COUNT_FAULTS], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 2000


COUNT_FAULTS_OF_LARGE_BLOCKS = """
import resource, torch
from wdrop._memory import large_blocks_kept

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(5):
        torch.zeros(80 * 2**20, dtype=torch.uint8)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

def resident_mib():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 2**20

faults()
outside, before = faults(), resident_mib()
with large_blocks_kept():
    inside = min(faults() for _ in range(5))  # the first ones have to get their memory
    kept = resident_mib() - before
print(outside, inside, kept, resident_mib() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives freed memory back at once")
def test_large_blocks_are_kept_for_as_long_as_they_are_wanted() -> None:
    run = [sys.executable, "-c", COUNT_FAULTS_OF_LARGE_BLOCKS]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    outside, inside, kept, left = map(float, done.stdout.split())
    assert inside < outside / 10
    assert kept > 70
    assert left < 10  # the system has its memory back
