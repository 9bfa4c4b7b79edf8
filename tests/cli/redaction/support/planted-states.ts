import fc from "fast-check";
import { isPropertyName } from "../../../../cli/src/redaction/placeholders/property-name.js";
import { encodings } from "./encodings.js";
import { marked, nested, resource, secret, stateOf, urnOf } from "./stack-states.js";

const marks = {
    asset: "c44067f5952c0a294b673a41bacd8c17",
    archive: "0def7320c3a5731c473e5ecbe6d01bc7",
    bytes: "803fd3297a5875dc03ca845dda5d2a98",
    resource: "5cf8f73096256a8f31e491e813e4eb8e",
};

/** A state with marked secrets, and with copies of the secrets in plain text. */
export interface PlantedState {
    readonly state: ReturnType<typeof stateOf>;
    readonly configuration: string;
    /** Strings that must not occur in the redacted state. */
    readonly cores: readonly string[];
}

const asset = (fields: object) => marked(marks.asset, { hash: "ab".repeat(32), ...fields });
const archive = (fields: object) => marked(marks.archive, { hash: "cd".repeat(32), ...fields });

/** Places where Pulumi marks a secret. */
const marking: Record<string, (text: string) => object> = {
    "an input": (text) => ({ inputs: { given: secret(text) } }),
    "an output": (text) => ({ outputs: { made: secret(text) } }),
    "deep in an input": (text) => ({ inputs: { deep: [{ inner: secret([{ text }]) }] } }),
    "a copy of inputs": (text) => ({ outputs: { __inputs: secret({ given: nested(text), on: true }) } }),
    "a declared output": (text) => ({
        inputs: { given: text },
        outputs: { given: secret(text) },
        additionalSecretOutputs: ["given"],
    }),
    "a declared output that an old engine wrote": (text) => ({
        inputs: { given: text },
        outputs: { given: text },
        additionalSecretOutputs: ["given"],
    }),
    "a key of a map": (text) => ({ inputs: { map: secret({ [text]: "some value" }) } }),
    "a text of JSON": (text) => ({ inputs: { json: secret(JSON.stringify({ inner: text })) } }),
    "an encoded text": (text) => ({ inputs: { data: secret({ inner: Buffer.from(text).toString("base64") }) } }),
    "some bytes": (text) => ({
        inputs: { bytes: secret(marked(marks.bytes, { value: Buffer.from(text).toString("base64") })) },
    }),
    "the text of a file": (text) => ({ inputs: { file: secret(asset({ text })) } }),
    "what triggers a replacement": (text) => ({ replacementTrigger: secret([text]) }),
    "the password of an address": (text) => ({
        inputs: { url: secret(`postgres://app:${encodeURIComponent(text)}@db.example.com/app`) },
    }),
};

/** Places to which a program, a provider or Pulumi may copy a secret. */
const places: Record<string, (text: string) => object> = {
    "an identifier": (text) => ({ id: text }),
    "an identifier to import": (text) => ({ importID: text }),
    "a name": (text) => ({ urn: urnOf("release", text) }),
    "a parent": (text) => ({ parent: urnOf("stack", text) }),
    "a dependency": (text) => ({ dependencies: [urnOf("bundle", text)] }),
    "an alias": (text) => ({ aliases: [urnOf("release", text)] }),
    "a provider": (text) => ({ provider: `${urnOf("provider", "default")}::${text}` }),
    "a place in the program": (text) => ({ sourcePosition: `project:///${text}#1,2` }),
    "a plain input": (text) => ({ inputs: { note: text } }),
    "a plain output": (text) => ({ outputs: { note: { list: [text] } } }),
    "a key of a plain map": (text) => ({ inputs: { labels: { [text]: "some value" } } }),
    "the text of a file": (text) => ({ inputs: { file: asset({ text }) } }),
    "the path of a file": (text) => ({ inputs: { file: asset({ path: text }) } }),
    "the address of a file": (text) => ({ inputs: { file: asset({ uri: text }) } }),
    "a file in an archive in an archive": (text) => ({
        inputs: { files: archive({ assets: { inner: archive({ assets: { file: asset({ text }) } }) } }) },
    }),
    "the name of a file in an archive": (text) => ({
        inputs: { files: archive({ assets: { [text]: asset({ text: "some text" }) } }) },
    }),
    "the path of an archive": (text) => ({ outputs: { files: archive({ path: text }) } }),
    "the address of an archive": (text) => ({ inputs: { files: archive({ uri: text }) } }),
    "some bytes": (text) => ({
        inputs: { bytes: marked(marks.bytes, { value: Buffer.from(text).toString("base64") }) },
    }),
    "a reference to a resource": (text) => ({
        inputs: { other: marked(marks.resource, { urn: urnOf("bundle", text), id: text }) },
    }),
    "a reference in another secret": (text) => ({
        inputs: { other: secret({ of: marked(marks.resource, { urn: urnOf("bundle", text), id: text }) }) },
    }),
    "an error": (text) => ({ initErrors: [text] }),
    "the copy of a plain input": (text) => ({ inputs: { note: text }, outputs: { __inputs: secret({ note: text }) } }),
};

/** Places whose content only the program determines. */
export const plainPlaces = ["an identifier", "a plain input", "a plain output", "a key of a plain map"];

/** Generates random states. @param secrets - their secrets */
export function plantedStates(
    secrets: fc.Arbitrary<string>,
    {
        markedAs = [...Object.keys(marking), "a setting", "a setting that is an object"],
        among = [...Object.keys(places), "a setting", "an operation", "a snippet"],
        encodedAs = Object.keys(encodings),
        surroundedBy = ["", "a", "ab", "abc", "user", "a b", "x: ", "über "],
    } = {},
): fc.Arbitrary<PlantedState> {
    const copies = fc.array(
        fc.record({
            place: fc.constantFrom(...among),
            encoding: fc.constantFrom(...encodedAs),
            before: fc.constantFrom(...surroundedBy),
            after: fc.constantFrom(...surroundedBy),
        }),
        { minLength: 1, maxLength: 4 },
    );
    const planted = fc.record({
        text: secrets,
        mark: fc.constantFrom(...markedAs),
        copies,
    });
    return fc.array(planted, { minLength: 1, maxLength: 3 }).map((all) => {
        const cores: string[] = [];
        const resources: object[] = [];
        const operations: object[] = [];
        const snippets: string[] = [];
        const settings: [string, object | string][] = [];
        const add = (fields: object) => resources.push(resource("release", `docs-${resources.length}`, fields));
        for (const { text, mark, copies: copiesOf } of all) {
            // The name of a property is not redacted, as the guide says.
            const isName = mark === "a key of a map" && isPropertyName(text);
            const name = `docs:setting${settings.length}`;
            if (mark === "a setting") {
                settings.push([name, { secure: text }]);
            } else if (mark === "a setting that is an object") {
                settings.push([name, { inner: { secure: text }, plain: "some text" }]);
            } else {
                add(marking[isName ? "an input" : mark]?.(text) ?? {});
            }
            for (const { place, encoding, before, after } of copiesOf) {
                const encoded = encodings[encoding]?.(text, before, after) ?? { text, core: text };
                cores.push(encoded.core);
                if (place === "a setting") {
                    settings.push([`docs:plain${settings.length}`, encoded.text]);
                } else if (place === "an operation") {
                    operations.push({ type: "creating", resource: resource("bundle", "docs", { id: encoded.text }) });
                } else if (place === "a snippet") {
                    snippets.push(encoded.text);
                } else {
                    add(places[place]?.(encoded.text) ?? {});
                }
            }
        }
        return {
            state: stateOf(resources, { pending_operations: operations, snippets }),
            configuration: JSON.stringify({ config: Object.fromEntries(settings) }),
            cores: cores.filter((core) => core !== ""),
        };
    });
}
