#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes tokens with the experts that they chose, and what should come of them.

    gen_data.py TYPE PES TOKENS TOP EXPERTS WIDTH FOLDER

FOLDER gets tokens_<pe>.bin, TOKENS rows of WIDTH elements; choices_<pe>.bin, TOP different experts (int32) of each;
weights_<pe>.bin, a float32 for each choice; and golden_received_<pe>.bin, golden_out_<pe>.bin. Expert e multiplies
by 1 + e / 4. EXPERTS is a multiple of PES; some experts are chosen often, and one never.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import data  # noqa: E402


def main() -> None:
    kind, pes, (tokens, top, experts, width), folder = data.arguments(__doc__, "TOKENS TOP EXPERTS WIDTH")
    if experts % pes != 0 or not 1 <= top <= max(1, experts - 1):
        sys.exit(f"{sys.argv[0]}: {experts} experts on {pes} PEs, {top} of each token")
    random = data.numpy.random.default_rng(1)
    liked = data.numpy.arange(experts, 0, -1.0) if experts > 1 else data.numpy.ones(1)
    liked[experts // 2] *= experts == 1
    liked /= liked.sum()
    content = [data.numbers(random, (tokens, width), kind) for _ in range(pes)]
    choices = [
        data.numpy.array([random.choice(experts, top, replace=False, p=liked) for _ in range(tokens)]).reshape(tokens, top)
        for _ in range(pes)
    ]
    for pe in range(pes):
        own = range(pe * (experts // pes), (pe + 1) * (experts // pes))
        rows = [
            content[source][token]
            for expert in own
            for source in range(pes)
            for token in range(tokens)
            for choice in choices[source][token]
            if choice == expert
        ]
        received = data.numpy.array(rows, data.numpy.float32).reshape(len(rows), width)
        data.save(folder / f"tokens_{pe}.bin", content[pe], kind)
        data.save(folder / f"golden_received_{pe}.bin", received, kind)
        choices[pe].astype("int32").tofile(folder / f"choices_{pe}.bin")
        weights = random.uniform(0, 1, (tokens, top)).astype("float32")
        weights.tofile(folder / f"weights_{pe}.bin")
        total = data.numpy.zeros((tokens, width), data.numpy.float32)
        for number in range(top):
            factors = (1 + choices[pe][:, number : number + 1] / 4).astype("float32")
            made = data.rounded(content[pe] * factors, kind) * weights[:, number : number + 1]
            total = made if number == 0 else total + made
        data.save(folder / f"golden_out_{pe}.bin", total, kind)


if __name__ == "__main__":
    main()
