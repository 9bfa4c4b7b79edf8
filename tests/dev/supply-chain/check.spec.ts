import assert from "node:assert/strict";
import { deprecatedPackages, findPins, oldDependencies, oldPins, pinsOf } from "../../../dev/supply-chain/check.js";
import reasons from "../../../dev/supply-chain/reasons.json" with { type: "json" };
import { goTools } from "../../../dev/toolchain/src/cache/tools.js";
import { root } from "../../docs/support/documents.js";

const now = new Date("2026-11-27T00:00:00Z");
const sha = "0".repeat(40);

describe("The check of the supply chain", () => {
    const formats: Record<string, [text: string, pins: string[]]> = {
        "an action": [`      - uses: actions/cache/save@${sha} # v5.0.5\n`, ["actions/cache v5.0.5"]],
        "an image of a chart": ["  image:\n    repository: node\n    tag: 24.21.0-alpine\n", ["node 24.21.0"]],
        "an image of a job": ["  image: node:24.21.0-bookworm\n", ["node 24.21.0"]],
        "the base of the Dockerfile": ["ARG BASE=node:24.21.0-trixie-slim\n", ["node 24.21.0"]],
        "a tool": ['    "oauth2-proxy": {\n        // Why.\n        version: "7.15.6",\n', ["oauth2-proxy 7.15.6"]],
        "no tag that moves": ["  image: node:22-bookworm\n", []],
    };
    for (const [format, [text, pins]] of Object.entries(formats)) {
        it(`finds ${format}`, () => {
            const found = findPins("file", text).map(({ name }) => name);
            assert.deepEqual(found, pins);
        });
    }

    it("finds every tool of this repository, and has no dates of versions that are not used", () => {
        const names = new Set(pinsOf(root).map(({ name }) => name));
        for (const { name, version } of Object.values(goTools)) {
            assert.ok(names.has(`${name} ${version}`), name);
        }
        assert.deepEqual(
            Object.keys(reasons.pins).filter((name) => !names.has(name)),
            [],
        );
    });

    it("lists pins that are older than six months or have no date, with one of their files", () => {
        const pins = ["new 1.0.0", "old 1.0.0", "other 1.0.0"].flatMap((name) =>
            ["a.yml", "b.yml"].map((file) => ({ name, file })),
        );
        const released = { "new 1.0.0": "2026-06-01", "old 1.0.0": "2026-05-01" };
        assert.deepEqual(oldPins(pins, now, released), [
            "old 1.0.0 was released on 2026-05-01 (a.yml and 1 more)",
            "other 1.0.0 has no date in dev/supply-chain/reasons.json (a.yml and 1 more)",
        ]);
    });

    it("reports deprecated packages that users install, unless a reason is recorded", () => {
        const packages = {
            "node_modules/fine": { version: "1.0.0" },
            "node_modules/a/node_modules/gone": { version: "1.0.0", deprecated: "use b" },
            "node_modules/excused": { version: "1.0.0", deprecated: "use c" },
            "node_modules/tool": { version: "1.0.0", dev: true, deprecated: "use d" },
        };
        assert.deepEqual(deprecatedPackages(packages, { excused: "because" }), ["gone 1.0.0 is deprecated: use b"]);
    });

    it("lists dependencies whose last release is older than two years, with the reason", () => {
        const recorded = {
            old: { released: "2024-11-01", reason: "It is finished." },
            recent: { released: "2024-12-01", reason: "It is finished, too." },
        };
        assert.deepEqual(oldDependencies(recorded, now), ["old was released on 2024-11-01. It is finished."]);
    });
});
