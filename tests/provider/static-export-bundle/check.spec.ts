import assert from "node:assert/strict";
import { exportInputNames } from "@pulumi-static-export/contract";
import { bundleInputs, checkBundle } from "../../../provider/src/static-export-bundle/check.js";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

function failuresOf(inputs: Record<string, unknown>): Record<string, string> {
    const { failures = [] } = checkBundle(inputs);
    return Object.fromEntries(failures.map(({ property, reason }) => [property, reason]));
}

describe("check of a StaticExportBundle", () => {
    it("returns no undefined value, because Pulumi would report that value instead of the failure", () => {
        const { inputs = {}, failures } = checkBundle({ version: undefined, paths: ["/start"] });
        assert.deepEqual(Object.keys(inputs), ["paths"]);
        assert.deepEqual(
            failures?.map(({ property }) => property),
            ["domain"],
        );
    });

    it("treats null as a missing input, and reports a required input that is null", () => {
        const nothing = { version: null, paths: null, triggers: null, jobId: null, timeoutSeconds: null };
        const { inputs, failures } = checkBundle({ domain: "docs.example.com", ...nothing });
        assert.deepEqual([inputs, failures], [{ domain: "docs.example.com" }, []]);
        assert.match(failuresOf({ domain: null }).domain ?? "", /is required/);
    });

    it("accepts a host name as the only input", () => {
        assert.deepEqual(failuresOf({ domain: "docs.example.com" }), {});
    });

    it("lets only inputs of the decision about an export cause an update", () => {
        const causes = Object.entries(bundleInputs).filter(([, { effect }]) => effect === "update");
        assert.deepEqual(Object.keys(Object.fromEntries(causes)), [...exportInputNames, "jobId"]);
    });

    it("accepts all inputs together", () => {
        const inputs = {
            domain: "docs.example.com",
            version: "2026-11-01",
            paths: ["/guides/start"],
            triggers: [1, { commit: "abc" }],
            renewBeforeSeconds: 0,
            renewLink: false,
            timeoutSeconds: 600,
            jobId: "se_4f2a",
            __provider: "code",
        };
        assert.deepEqual(failuresOf(inputs), {});
    });

    it("accepts a value that is unknown during a preview, regardless of its type", () => {
        const inputs = { domain: unknown, paths: unknown, timeoutSeconds: unknown, renewLink: unknown, jobId: unknown };
        assert.deepEqual(failuresOf(inputs), {});
    });

    it("accepts an unknown path next to known paths", () => {
        assert.deepEqual(failuresOf({ domain: "docs.example.com", paths: ["/start", unknown] }), {});
    });

    it("accepts two unknown paths during a preview, although both look the same", () => {
        assert.deepEqual(failuresOf({ domain: "docs.example.com", paths: [unknown, unknown] }), {});
    });

    it("converts the host name to lower case, so that a change of case is not a diff", () => {
        assert.equal(checkBundle({ domain: "Docs.Example.com" }).inputs?.domain, "docs.example.com");
    });

    const refusedDomains: [string, unknown, RegExp][] = [
        ["a missing one", undefined, /is required/],
        ["a number", 5, /must be a string, got 5/],
        ["an empty one", "", /must be a host name such as/],
        ["a scheme", "https://docs.example.com", /without a scheme.*got "https:\/\/docs\.example\.com"/],
        ["a port", "docs.example.com:8080", /without a port/],
        ["a path", "docs.example.com/guide", /without a path/],
        ["a trailing slash", "docs.example.com/", /without a path/],
        ["white space", "docs example.com", /must be a host name such as/],
        ["an empty label", "docs..example.com", /must be a host name such as/],
        ["a label of 64 characters", `${"a".repeat(64)}.com`, /must be a host name such as/],
        ["254 characters", `${"a.".repeat(126)}ab`, /must be a host name such as/],
        ["letters beyond ASCII", "dokumentäion.example", /xn--/],
    ];
    for (const [what, domain, reason] of refusedDomains) {
        it(`refuses ${what} as a domain`, () => {
            assert.match(failuresOf({ domain }).domain ?? "", reason);
        });
    }

    const refused: [string, Record<string, unknown>, string][] = [
        ["an empty version", { version: " " }, 'must not be empty: omit it, or set a label such as "2026-11-01"'],
        ["a version that is no string", { version: 7 }, "must be a string, got a value of type number"],
        ["a version of two lines", { version: "a\nb" }, "must be one line of printable characters"],
        [
            "an address as a path",
            { paths: ["https://docs.example.com/start"] },
            'must contain only page paths such as "/guides/start", got "https://docs.example.com/start"',
        ],
        ["paths that are no list", { paths: "/start" }, 'must be a list of page paths, got "/start"'],
        ["no path at all", { paths: [] }, "must name at least one page: omit it to export every published page"],
        [
            "a path that is listed twice",
            { paths: ["/start", "/guides", "/start"] },
            'must contain each page path only once, got "/start" twice',
        ],
        ["an empty path", { paths: [""] }, 'must contain only page paths such as "/guides/start", got ""'],
        ["a blank path", { paths: [" "] }, 'must contain only page paths such as "/guides/start", got " "'],
        ["a number as a path", { paths: [7] }, 'must contain only page paths such as "/guides/start", got 7'],
        [
            "a negative renewBeforeSeconds",
            { renewBeforeSeconds: -1 },
            "must be a number of seconds from 0 to 604800, got -1",
        ],
        ["a timeout of nothing", { timeoutSeconds: 0 }, "must be a number of seconds from 1 to 604800, got 0"],
        ["a timeout of weeks", { timeoutSeconds: 1e7 }, "must be a number of seconds from 1 to 604800, got 10000000"],
        ["a timeout that is text", { timeoutSeconds: "60" }, 'must be a number of seconds from 1 to 604800, got "60"'],
        ["a renewLink that is text", { renewLink: "no" }, 'must be true or false, got "no"'],
        [
            "a jobId with a slash",
            { jobId: "a/b" },
            'must be the id of a static export job, such as "se_4f2a", got "a/b"',
        ],
    ];
    for (const [what, inputs, reason] of refused) {
        it(`refuses ${what}`, () => {
            assert.deepEqual(failuresOf({ domain: "docs.example.com", ...inputs }), {
                [Object.keys(inputs)[0]!]: reason,
            });
        });
    }

    it("lists the valid inputs when an input is misspelt", () => {
        assert.match(
            failuresOf({ domain: "docs.example.com", verison: "1" }).verison ?? "",
            /is not an input.*version/,
        );
    });

    it("returns one failure for each wrong property", () => {
        assert.deepEqual(Object.keys(failuresOf({ domain: "a b", version: "", timeoutSeconds: 0 })), [
            "domain",
            "version",
            "timeoutSeconds",
        ]);
    });

    it("hides the query of a link that was given by mistake", () => {
        const { domain = "" } = failuresOf({ domain: "https://b.example.com/x.tar.gz?X-Amz-Signature=secret" });
        assert.doesNotMatch(domain, /secret/);
    });

    it("marks a domain that differs from the domain in the state, so that policies recognise a replacement", () => {
        const { inputs } = checkBundle({ domain: "new.example.com" }, { domain: "docs.example.com" });
        assert.equal(inputs?.replacesDomain, true);
    });

    it("does not mark a create, a change of case or an unknown domain", () => {
        for (const [olds, domain] of [
            [{}, "docs.example.com"],
            [{ domain: "docs.example.com" }, "DOCS.example.com"],
            [{ domain: "docs.example.com" }, unknown],
        ] as const) {
            assert.ok(!("replacesDomain" in (checkBundle({ domain }, olds).inputs ?? {})));
        }
    });

    it("refuses a mark that the program sets", () => {
        assert.match(
            failuresOf({ domain: "docs.example.com", replacesDomain: true }).replacesDomain!,
            /is not an input/,
        );
    });
});
