import assert from "node:assert/strict";
import { findAddressFault } from "@pulumi-static-export/contract";
import { checkEndpoint } from "../../sdk/src/publish/targets/check-endpoint.js";
import { resolveBucket } from "../../service/src/storage/bucket-options.js";

const faults = {
    "not-http": ["storage.example.com", "ftp://storage.example.com", "https:", ""],
    "not-plain": [
        "https://user@storage.example.com",
        "https://:secret@storage.example.com",
        "https://storage.example.com/?X-Amz-Signature=secret",
        "https://storage.example.com/#secret",
    ],
};

describe("The address of a storage", () => {
    for (const [fault, addresses] of Object.entries(faults)) {
        for (const address of addresses) {
            it(`is refused in the same way by every part, without being shown: "${address}"`, () => {
                assert.equal(findAddressFault(address), fault);
                const isRefused = (error: Error) => error.name !== "TypeError" && !error.message.includes("secret");
                const settings = { example: "https://storage.example.com", keys: "" };
                assert.throws(() => checkEndpoint(address, settings), isRefused);
                assert.throws(() => resolveBucket({ url: "s3://docs", endpoint: address }), isRefused);
            });
        }
    }

    for (const address of ["http://localhost:9000", "https://storage.example.com/s3"]) {
        it(`may have a scheme, a host and a path: ${address}`, () => {
            assert.equal(findAddressFault(address), undefined);
        });
    }
});
