import assert from "node:assert/strict";
import { type PublishSettings } from "@pulumi-static-export/sdk/publish";
import { publishCommand } from "../../../cli/src/commands/publish-command.js";
import { bucketSiteInputs } from "../../../provider/src/bucket-site/check.js";

/** A new setting does not compile before it is listed here. */
const settings = Object.keys({
    owner: true,
    adopt: true,
    keep: true,
    cacheControl: true,
    addresses: true,
    switching: true,
    access: true,
    graceSeconds: true,
    trustRecord: true,
} satisfies Record<keyof PublishSettings, true>);

describe("A setting of a publication", () => {
    for (const name of settings) {
        it(`is an option of publish and an input of BucketSite: ${name}`, () => {
            const options = (publishCommand.options ?? []).map((option) => option.attributeName());
            assert.ok(options.includes(name), `publish has only ${options.join(", ")}`);
            assert.ok(name in bucketSiteInputs);
        });
    }
});
