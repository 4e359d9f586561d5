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
MEMBERS, MEMBER_WIDTH, MEMBER_STEPS = 5, 32, 220
WIDTH, STEPS = 48, 260
BATCH, VERTICES = 8, 120  # characters a step, vertices of each
MOST_VERTICES, MOST_CHARACTERS = 1200, 10  # of a character, of an author: a random choice is enough
AUTHORS_KEPT = 0.75  # of each member of the ensemble
LEAST_ERROR = 2.5e-3  # squared % of the diagonal: smaller errors hardly count
NAMES = ("features", "there", "start", "squares", "guess_error", "members")


class Example:
    """A character. squares: per vertex and pair of candidates, the mean dot product over poses of how far posing by
    each of them alone is from the artist; weights w are w' squares w away, squared."""

    def __init__(self, path):
        a = read_arrays(path)
        weights = torch.from_numpy(a["artist_weights"])
        total = weights.sum(1)
        members = torch.from_numpy(a["members"]) * (total > 0.5)
        kept = members.nonzero()[:, 0]
        kept = kept[torch.randperm(len(kept))[:MOST_VERTICES]].sort()[0]
        weights = (weights / total.clamp(min=1e-6)[:, None])[kept]
        poses, positions = torch.from_numpy(a["poses"]), torch.from_numpy(a["positions"])[kept]
        joints = torch.from_numpy(a["joints"]).long()[kept]

        def moved(joints):
            """Positions under each joint alone: vertices x joints x (poses * 3)."""
            homogeneous = torch.cat([positions, torch.ones(len(positions), 1)], 1)
            matrices = poses.view(poses.shape[0], -1, 3, 4)
            columns = [torch.einsum("pnab,nb->npa", matrices[:, joints[:, k].clamp(min=0)], homogeneous)
                       for k in range(joints.shape[1])]
            return torch.stack(columns, 1).flatten(2)

        def blended(name, weights):
            return (moved(torch.from_numpy(a[name]).long()[kept]) * weights[..., None]).sum(1)

        target = blended("artist_joints", weights)
        offsets = moved(joints) - target[:, None]
        guess = blended("guess_joints", torch.from_numpy(a["guess_weights"])[kept])
        self.features = torch.from_numpy(a["features"])[kept].half()
        self.there = joints >= 0
        self.start = torch.from_numpy(a["start"])[kept].masked_fill(~self.there, NO_JOINT)
        self.squares = offsets @ offsets.transpose(1, 2) / poses.shape[0]
        self.guess_error = ((guess - target) ** 2).sum(1) / poses.shape[0]
        self.members = members[kept]


class Batch:
    """Random vertices of some characters."""

    def __init__(self, examples):
        parts = [torch.randint(len(e.start), (VERTICES,)) for e in examples]
        for name in NAMES:
            setattr(self, name, torch.cat([getattr(e, name)[part] for e, part in zip(examples, parts)]))
        self.size = len(examples)

    def mean(self, values):
        """Means over the vertices of each character."""
        members = self.members.view(self.size, -1)
        return (values.view(self.size, -1) * members).sum(1) / members.sum(1)

    def squared(self, weights):
        return torch.einsum("vi,vij,vj->v", weights, self.squares, weights)


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

    def forward(self, batch, noise=0.0, dropped=0.0):
        """Logarithms of weights, up to a constant."""
        x = ((batch.features.float() - self.mean) / self.spread).clamp(-MOST_SPREADS, MOST_SPREADS)
        if noise > 0:
            keep = (torch.rand(batch.size, x.shape[2]) > dropped).float()
            keep[torch.rand(batch.size) < 0.3, -WORDS:] = 0
            x = (x + noise * torch.randn_like(x)) * keep.repeat_interleave(VERTICES, 0)[:, None]
        there = batch.there[..., None].float()
        state = functional.relu(self.second(functional.relu(self.first(x))))
        chance = batch.start.softmax(1)[..., None]
        weighted, plain = (state * chance).sum(1), (state * there).sum(1) / there.sum(1)
        width = state.shape[2]
        own, shared, of_chance = self.mix.weight.split([width, 2 * width, 1], 1)
        context = functional.linear(torch.cat([weighted, plain], 1), shared, self.mix.bias)
        state = functional.relu(functional.linear(state, own) + context[:, None] + chance * of_chance[:, 0])
        state = state + functional.relu(self.hidden(state))
        vote = MOST_VOTE * torch.tanh(self.vote(state)[..., 0] / MOST_VOTE)
        return (batch.start + vote).masked_fill(~batch.there, NO_JOINT)

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
        loss_of(Batch([draw() for _ in range(BATCH)])).mean().backward()
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
        def loss(b):
            error = b.mean(b.squared(network(b, noise=0.3, dropped=0.2).softmax(1)))
            return 0.5 * torch.log((error + LEAST_ERROR) / (b.mean(b.guess_error) + LEAST_ERROR))
        return loss

    members = []
    for _ in range(MEMBERS):
        kept = random.sample(authors, round(AUTHORS_KEPT * len(authors)))
        member = Network(mean, spread, MEMBER_WIDTH)
        members.append(descend(member, drawer(examples_of_author, kept), posed_loss(member), MEMBER_STEPS).eval())

    # One network learns what the ensemble says: nearly as good, at a fraction of the cost.
    student = Network(mean, spread, WIDTH)

    def student_loss(b):
        with torch.no_grad():
            taught = torch.stack([m(b) for m in members]).mean(0).softmax(1)
        apart = b.mean(b.squared(student(b, noise=0.05).softmax(1) - taught))
        return torch.sqrt(apart.clamp(min=0) / (b.mean(b.guess_error) + LEAST_ERROR) + 1e-4)

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
    everything = [source for source in sources(arguments.shared) if source.fold != arguments.fold]
    random.shuffle(everything)
    for source in everything:
        examples = examples_of_author[source.author]
        if len(examples) < MOST_CHARACTERS:
            examples.append(Example(arguments.dumps / f"{source.name}.bin"))
    arguments.output.write_bytes(train(examples_of_author).table())


if __name__ == "__main__":
    main()
