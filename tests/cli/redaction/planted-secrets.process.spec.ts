import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "yaml";
import { type ConfigurationValues } from "../../../cli/src/redaction/secrets/configuration-secrets.js";
import { UsageError } from "../../../cli/src/command-line/usage-error.js";
import { scaled } from "../../scale.js";
import { plainPlaces, type PlantedState, plantedStates } from "./support/planted-states.js";
import { type Redacted, redact, redactedCrypter } from "./support/stack-states.js";

/** `npm run test:all` tries more cases. */
const numRuns = scaled({ short: 60, long: 1200 });

/** The kinds of text that people use as secrets, except text that could also occur elsewhere in a stack. */
const distinctive = fc.oneof(
    fc.stringMatching(/^5[a-z]\d[A-Z]{1,3}[a-z\d]{0,12}$/),
    fc.stringMatching(/^Qq[ "'\\/%+&<>=:;@{}~-]{1,6}Zz[ "'\\%+&<>]{0,3}7$/),
    fc.stringMatching(/^Äß[€ü漢字😀]{1,4}Öq$/u),
    fc.stringMatching(/^[1-9]7[1-9]35[1-9]{1,6}$/),
    fc.stringMatching(/^correct(horse|battery|staple){1,3}$/),
    fc.stringMatching(/^[A-Za-z\d]{40}Q7\/[A-Za-z\d]{20}==$/),
    fc.stringMatching(/^-----BEGIN [A-Z]{3} KEY-----\n([A-Za-z\d+]{20}7Qx\n){1,3}-----END KEY-----\n$/),
    fc.stringMatching(/^https:\/\/b\.example\.com\/7Qx[a-z\d]{8}\?expires=17951\d{5}&signature=7Qx[a-z\d]{8}$/),
);
const short = fc.oneof(
    fc.constantFrom("1", "true", "false", "docs", "8080", "a", "Release"),
    fc.string({ maxLength: 4 }),
);

/** Returns all text of the redacted stack: the state with decrypted placeholders, and the configuration. */
function textsOf({ resources, state, configuration, configurationPlaceholders }: Redacted): string {
    const { resources: _, ...rest } = state.deployment;
    const settings = JSON.stringify(parse(configuration ?? ""), (key, value: unknown) =>
        key === "secure" ? redactedCrypter.decrypt(String(value)) : value,
    );
    return textsIn([resources, rest, JSON.parse(settings), configurationPlaceholders.clear]).join("\n");
}

function textsIn(values: unknown[]): string[] {
    const texts: string[] = [];
    const collect = (value: unknown) => {
        if (typeof value === "object" && value !== null) {
            Object.entries(value).forEach(([key, member]) => {
                texts.push(key);
                collect(member);
            });
        } else {
            texts.push(String(value));
        }
    };
    values.forEach(collect);
    return texts;
}

function redactPlanted({ state, configuration }: PlantedState): Redacted {
    const { config } = JSON.parse(configuration) as { config: Record<string, Record<string, unknown> | string> };
    const values: ConfigurationValues = {};
    for (const [key, setting] of Object.entries(config)) {
        const { secure, inner, plain } = typeof setting === "string" ? { plain: setting } : setting;
        values[key] =
            inner === undefined
                ? { value: String(secure ?? plain) }
                : { objectValue: { plain, inner: (inner as { secure: string }).secure } };
    }
    return redact(state, { configuration, configurationValues: values });
}

describe("a redacted stack with copies of its secrets", function () {
    this.timeout(20_000 + numRuns * 100);

    it("contains no secret, regardless of where the secret is marked or copied and how it is encoded", () => {
        fc.assert(
            fc.property(plantedStates(distinctive), (planted) => {
                const texts = textsOf(redactPlanted(planted));
                for (const core of planted.cores) {
                    assert.ok(!texts.includes(core), `${JSON.stringify(core)} is in it`);
                }
            }),
            { numRuns },
        );
    });

    it("contains no short secrets, or is refused with a list of the places that may contain a copy", () => {
        const planted = plantedStates(short, {
            markedAs: [
                "an input",
                "an output",
                "deep in an input",
                "a copy of inputs",
                "a declared output",
                "a setting",
            ],
            among: plainPlaces,
            encodedAs: ["as it is"],
            surroundedBy: [""],
        });
        fc.assert(
            fc.property(planted, (each) => {
                let redacted: Redacted;
                try {
                    redacted = redactPlanted(each);
                } catch (error) {
                    assert.ok(error instanceof UsageError);
                    assert.match(
                        error.message,
                        /is short or common, so these may contain copies of it[^]*: (the name of a )?Release/,
                    );
                    return;
                }
                const texts = textsIn(redacted.resources.flatMap(({ id, inputs, outputs }) => [id, inputs, outputs]));
                // Every boolean has the placeholder "false".
                const cores = each.cores.filter((core) => core.trim() !== "" && core !== "false");
                assert.ok(!cores.some((core) => texts.includes(core)));
            }),
            { numRuns },
        );
    });
});
