import assert from "node:assert/strict";
import { resolveBucket } from "../../../service/src/storage/bucket-options.js";

const accessPoint = "arn:aws:s3:eu-central-1:123456789012:accesspoint/docs";

describe("The bucket of the service", () => {
    for (const name of ["docs", "docs_of_acme", "Docs", accessPoint]) {
        it(`may have each name that a storage allows: ${name}`, () => {
            const { name: found, prefix } = resolveBucket({ url: `s3://${name}/exports` });
            assert.deepEqual([found, prefix], [name, "exports/"]);
        });
    }

    for (const url of ["docs", "s3://", "s3://docs/../x", "s3://docs x", "https://docs"]) {
        it(`is refused with the expected form: ${JSON.stringify(url)}`, () => {
            assert.throws(() => resolveBucket({ url }), /must be written as s3:\/\/name or s3:\/\/name\/prefix/);
        });
    }
});
