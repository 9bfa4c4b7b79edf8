import assert from "node:assert/strict";
import { BundleError } from "../../../sdk/src/errors/index.js";
import { bundleCases } from "../support/bundle-cases.js";
import { unpack } from "../support/unpack.js";

describe("A bundle is unpacked by the same rules everywhere:", () => {
    for (const { title, content, limits, refused } of bundleCases) {
        it(`${title} is ${refused ? "refused" : "served"}`, async () => {
            await unpack(
                await content(),
                async ({ result }) => {
                    const error = await result.then(
                        () => undefined,
                        (reason: unknown) => reason,
                    );
                    if (refused === undefined) {
                        assert.equal(error, undefined);
                    } else {
                        assert.ok(error instanceof BundleError, String(error));
                        assert.match(error.message, refused);
                    }
                },
                {
                    limits: {
                        maxBytes: limits.mebibytes * 1024 * 1024,
                        maxFiles: limits.entries,
                        refuseLinks: true,
                        requirePages: true,
                    },
                },
            );
        });
    }
});
