#!/usr/bin/env python3
"""Trains the prior (docs/prior.md) and writes its table.

Usage: train.py SHARED DUMPS OUTPUT [--fold K]

SHARED holds corpus/ and characters/. DUMPS holds one file per character from `skincells-prior dump`. With --fold, the
authors of that fold are left out: such a table is for judging, not for shipping.
"""

import argparse
import math
import random
import struct
from collections import defaultdict
from pathlib import Path

import torch
import torch.nn.functional as functional
from torch import nn

from corpus import read_arrays, sources

MAGIC = 0x50434B53
MOST_SPREADS, MOST_VOTE = 4, 3  # as in src/guess/prior/network.cpp
WORDS = 20  # the last features: words in joint names
NO_JOINT = -30
MEMBERS, MEMBER_WIDTH, MEMBER_STEPS = 7, 32, 300
WIDTH, STEPS = 48, 700
BATCH, VERTICES = 8, 350  # characters a step, vertices of each
AUTHORS_KEPT = 0.9  # of each member of the ensemble
LEAST_ERROR = 2.5e-3  # squared % of the diagonal: smaller errors hardly count


class Example:
    """A character: features and, per vertex and candidate, how far posing by that joint alone is from the artist."""

    def __init__(self, path):
        a = read_arrays(path)
        joints, poses = torch.from_numpy(a["joints"]).long(), torch.from_numpy(a["poses"])
        self.poses = poses.shape[0]
        weights = torch.from_numpy(a["artist_weights"])
        total = weights.sum(1)
        target = self.blended(a, poses, "artist_joints", weights / total.clamp(min=1e-6)[:, None])
        members = torch.from_numpy(a["members"]) * (total > 0.5)
        kept = members > 0
        self.features = torch.from_numpy(a["features"])[kept].half()
        self.there = (joints >= 0)[kept]
        self.start = torch.from_numpy(a["start"])[kept].masked_fill(~self.there, NO_JOINT)
        self.offsets = (self.moved(a, poses, a["joints"]) - target[:, None])[kept].half()
        guess = self.blended(a, poses, "guess_joints", torch.from_numpy(a["guess_weights"]))
        self.guess_offset = (guess - target)[kept]
        self.members = members[kept]

    @staticmethod
    def moved(a, poses, joints):
        """Positions under each joint alone: vertices x joints x (poses * 3)."""
        positions = torch.from_numpy(a["positions"])
        homogeneous = torch.cat([positions, torch.ones(len(positions), 1)], 1)
        matrices = poses.view(poses.shape[0], -1, 3, 4)
        columns = [torch.einsum("pnab,nb->npa", matrices[:, torch.from_numpy(joints[:, k]).clamp(min=0).long()],
                                homogeneous) for k in range(joints.shape[1])]
        return torch.stack(columns, 1).flatten(2)

    @classmethod
    def blended(cls, a, poses, joints, weights):
        return (cls.moved(a, poses, a[joints]) * weights[..., None]).sum(1)

    def some(self, count):
        """A random choice of its vertices."""
        size = len(self.start)
        chosen = torch.randperm(size)[:count] if size > count else torch.arange(size)
        part = object.__new__(Example)
        part.poses = self.poses
        for name in ("features", "there", "start", "offsets", "guess_offset", "members"):
            setattr(part, name, getattr(self, name)[chosen])
        return part

    def mean_square(self, offset):
        return ((offset * offset).sum(1) * self.members).sum() / self.members.sum() / self.poses

    def error(self, weights):
        return self.mean_square((weights[..., None] * self.offsets.float()).sum(1))

    def start_error(self):
        return self.mean_square(self.guess_offset)


class Network(nn.Module):
    def __init__(self, mean, spread, width):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        self.first, self.second = nn.Linear(len(mean), width), nn.Linear(width, width)
        self.mix = nn.Linear(3 * width + 1, width)
        self.hidden, self.vote = nn.Linear(width, width), nn.Linear(width, 1)
        nn.init.zeros_(self.vote.weight)
        nn.init.zeros_(self.vote.bias)

    def forward(self, example, noise=0.0, dropped=0.0):
        """Logarithms of weights, up to a constant."""
        x = ((example.features.float() - self.mean) / self.spread).clamp(-MOST_SPREADS, MOST_SPREADS)
        if noise > 0:
            x = x + noise * torch.randn_like(x)
            keep = (torch.rand(x.shape[2]) > dropped).float()
            if random.random() < 0.3:
                keep[-WORDS:] = 0
            x = x * keep
        there = example.there[..., None].float()
        state = functional.relu(self.second(functional.relu(self.first(x))))
        chance = example.start.softmax(1)[..., None]
        weighted = (state * chance).sum(1, keepdim=True).expand_as(state)
        plain = ((state * there).sum(1, keepdim=True) / there.sum(1, keepdim=True)).expand_as(state)
        state = functional.relu(self.mix(torch.cat([state, weighted, plain, chance], -1)))
        state = state + functional.relu(self.hidden(state))
        vote = MOST_VOTE * torch.tanh(self.vote(state)[..., 0] / MOST_VOTE)
        return (example.start + vote).masked_fill(~example.there, NO_JOINT)

    def table(self):
        width = self.second.out_features
        mix = self.mix.weight.t()
        parts = [self.mean, 1 / self.spread]
        for layer in (self.first, self.second):
            parts += [layer.weight.t(), layer.bias]
        parts += [mix[:width], mix[width:3 * width], self.mix.bias, mix[3 * width:]]
        for layer in (self.hidden, self.vote):
            parts += [layer.weight.t(), layer.bias]
        numbers = b"".join(p.detach().contiguous().numpy().astype("<f4").tobytes() for p in parts)
        return struct.pack("<3I", MAGIC, len(self.mean), width) + numbers


def descend(network, draw, loss_of, steps, rate=2e-3):
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=3e-3)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 30) * 0.5 * (1 + math.cos(math.pi * step / steps))
        optimizer.zero_grad()
        for _ in range(BATCH):
            (loss_of(draw().some(VERTICES)) / BATCH).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
    return network


def drawer(examples_of_author, authors):
    """Authors evenly, then one of their characters."""
    return lambda: random.choice(examples_of_author[random.choice(authors)])


def train(examples_of_author):
    everything = [e for examples in examples_of_author.values() for e in examples]
    numbers = torch.cat([e.features[e.there][::17].float() for e in everything])
    mean, spread = numbers.mean(0), numbers.std(0).clamp(min=0.05)
    authors = sorted(examples_of_author)

    def posed_loss(network):
        def loss(e):
            weights = network(e, noise=0.3, dropped=0.2).softmax(1)
            return 0.5 * torch.log((e.error(weights) + LEAST_ERROR) / (e.start_error() + LEAST_ERROR))
        return loss

    members = []
    for _ in range(MEMBERS):
        kept = random.sample(authors, round(AUTHORS_KEPT * len(authors)))
        member = Network(mean, spread, MEMBER_WIDTH)
        members.append(descend(member, drawer(examples_of_author, kept), posed_loss(member), MEMBER_STEPS).eval())

    # One network learns what the ensemble says: nearly as good, at a seventh of the cost.
    student = Network(mean, spread, WIDTH)

    def student_loss(e):
        with torch.no_grad():
            taught = torch.stack([m(e) for m in members]).mean(0).softmax(1)
        weights = student(e, noise=0.05).softmax(1)
        apart = e.mean_square(((weights - taught)[..., None] * e.offsets.float()).sum(1))
        return torch.sqrt(apart / (e.start_error() + LEAST_ERROR) + 1e-4)

    return descend(student, drawer(examples_of_author, authors), student_loss, STEPS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("shared")
    parser.add_argument("dumps", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--fold", type=int, default=-1)
    arguments = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    torch.set_num_threads(1)  # the same sums in the same order
    examples_of_author = defaultdict(list)
    for source in sources(arguments.shared):
        if source.fold != arguments.fold:
            examples_of_author[source.author].append(Example(arguments.dumps / f"{source.name}.bin"))
    arguments.output.write_bytes(train(examples_of_author).table())


if __name__ == "__main__":
    main()
