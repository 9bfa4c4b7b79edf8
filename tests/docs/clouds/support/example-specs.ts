import assert from "node:assert/strict";
import { checkBucketSite } from "../../../../provider/src/bucket-site/check.js";
import { CloudExample, type Declared } from "./cloud-example.js";

/** A program with one mistake: the text to replace, and the compiler's message. */
export interface Mistake {
    readonly wrote: string;
    readonly writes: string;
    readonly complaint: RegExp;
}

/** A compiled example after its run. */
interface TriedExample {
    /** Returns the inputs of a resource by the last part of its type and its name, such as `Bucket docs`. */
    readonly inputs: (resource: string) => Readonly<Record<string, unknown>>;
    /** Returns the compiler's errors in a file. */
    readonly errors: (file: string) => string;
    /** Runs another program in the example's folder. */
    readonly run: (program: string) => Promise<readonly Declared[]>;
    readonly declared: readonly Declared[];
}

const config = {
    domain: "docs.example.com",
    version: "2026-11-01",
    zoneId: "Z1",
    accountId: "0123456789abcdef",
    redirects: '{"/old":"/new"}',
};

/**
 * Compiles and runs an example before the suite's specs, and adds the specs that all examples share.
 *
 * @param more - writes more programs to compile, and returns their names
 */
export function tryExample(
    cloud: string,
    mistakes: Readonly<Record<string, Mistake>>,
    more: (example: CloudExample) => Promise<string[]> = () => Promise.resolve([]),
): TriedExample {
    let example: CloudExample;
    let errors: readonly string[];
    let declared: readonly Declared[];

    before(async () => {
        example = await CloudExample.open(cloud);
        const text = await example.read("index.ts");
        const files = ["index.ts", ...(await more(example))];
        for (const [index, { wrote, writes }] of Object.values(mistakes).entries()) {
            assert.ok(text.includes(wrote), wrote);
            files.push(`wrong-${index}.ts`);
            await example.write(`wrong-${index}.ts`, text.replace(wrote, writes));
        }
        errors = await example.compile(...files);
        declared = await example.run(config);
    });
    after(() => example.remove());

    const inputs = (resource: string, of = declared) => {
        const found = of.find(({ type, name }) => resource === `${type.replace(/^.*[:/]/, "")} ${name}`);
        assert.ok(found, `${resource} is not one of ${of.map(({ type, name }) => `${type} ${name}`).join(", ")}`);
        return found.inputs;
    };
    const errorsOf = (file: string) => errors.filter((line) => line.startsWith(`${file}(`)).join("\n");

    it("uses the types of the cloud's SDK", () => {
        assert.equal(errorsOf("index.ts"), "");
    });

    for (const [index, [mistake, { complaint }]] of Object.entries(mistakes).entries()) {
        it(`does not compile with ${mistake}`, () => {
            assert.match(errorsOf(`wrong-${index}.ts`), complaint);
        });
    }

    it("exports without renewing a link that is never used", () => {
        const { domain, version } = config;
        assert.deepEqual(inputs("StaticExportBundle docs"), { domain, version, renewLink: false });
    });

    it("publishes its export with valid inputs", () => {
        const site = inputs("BucketSite docs");
        assert.equal(site["jobId"], "se_42");
        assert.deepEqual(checkBucketSite({ ...site }).failures, []);
    });

    it("serves an earlier export if pin is set", async () => {
        const pinned = await example.run({ ...config, pin: "se_41" });
        assert.equal(inputs("BucketSite docs", pinned)["pin"], "se_41");
    });

    return {
        inputs,
        errors: errorsOf,
        run: (program) => example.run(config, program),
        get declared() {
            return declared;
        },
    };
}
