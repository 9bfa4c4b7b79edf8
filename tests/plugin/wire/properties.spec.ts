import assert from "node:assert/strict";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { decode, encode } from "../../../plugin/src/wire/properties.js";

const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const unknownNumber = "3eeb2bf0-c639-47a8-9e75-3b44932eb421";
const secret = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value,
});
const structOf = (values: object) => Struct.fromJavaScript(values as Parameters<typeof Struct.fromJavaScript>[0]);

describe("the properties that the engine sends to the plugin", () => {
    it("are read as plain values, with the names of properties that contain a secret at any depth", () => {
        const { values, secrets } = decode(structOf({ domain: "a.example", triggers: { commit: [secret("c0ffee")] } }));
        assert.deepEqual(values, { domain: "a.example", triggers: { commit: ["c0ffee"] } });
        assert.deepEqual([...secrets], ["triggers"]);
    });

    it("represent unknown values of all types in the same way", () => {
        const { values, secrets } = decode(structOf({ timeoutSeconds: unknownNumber, version: secret(unknownText) }));
        assert.deepEqual(values, { timeoutSeconds: unknownText, version: unknownText });
        assert.deepEqual([...secrets], ["version"]);
    });

    it("are read without the provider that the state of a dynamic resource contains", () => {
        assert.deepEqual(decode(structOf({ domain: "a.example", __provider: "exports.handler" })).values, {
            domain: "a.example",
        });
    });

    it("are returned with secrets marked and without undefined properties", () => {
        const answer = encode({ bundleUrl: "https://x", pageCount: 2, version: undefined }, new Set(["bundleUrl"]));
        assert.deepEqual(answer.toJavaScript(), { bundleUrl: secret("https://x"), pageCount: 2 });
    });
});
