import assert from "node:assert/strict";
import { type KeyScope } from "../../../service/src/keys/admin-keys.js";
import {
    describeRights,
    InvalidKeyError,
    listReach,
    reachesDomain,
    reachPattern,
    resolveReach,
} from "../../../service/src/keys/key-reach.js";

const domain = "docs.example.com";

describe("The reach of a key", () => {
    it("contains the domains that it names, and every host below a domain with an asterisk", () => {
        assert.equal(reachesDomain(null, domain), true);
        assert.equal(reachesDomain([], domain), false);
        assert.equal(reachesDomain(["other.example.com", domain], domain), true);
        assert.equal(reachesDomain(["example.com"], domain), false);
        assert.equal(reachesDomain(["*.example.com"], domain), true);
        assert.equal(reachesDomain(["*.example.com"], "a.docs.example.com"), true);
        assert.equal(reachesDomain(["*.example.com"], "example.com"), false);
        assert.equal(reachesDomain(["*.example.com"], "badexample.com"), false);
    });

    it("contains a domain with an asterisk if it contains every host below that domain", () => {
        assert.equal(reachesDomain(["*.example.com"], "*.docs.example.com"), true);
        assert.equal(reachesDomain(["*.example.com"], "*.example.com"), true);
        assert.equal(reachesDomain(["*.docs.example.com"], "*.example.com"), false);
        assert.equal(reachesDomain([domain], `*.${domain}`), false);
    });

    it("may be written as domains, with an asterisk only at the beginning", () => {
        const accepted = (text: string): boolean => new RegExp(reachPattern).test(text);
        assert.deepEqual([domain, `*.${domain}`, "*", "docs.*.com", "*docs.example.com"].map(accepted), [
            ...[true, true],
            ...[false, false, false],
        ]);
        const longest = `${"a.".repeat(125)}com`;
        assert.deepEqual([`*.${longest}`, `*.a${longest}`].map(accepted), [true, false]);
    });

    it("is listed with its domains and projects", () => {
        assert.equal(
            listReach({ domains: [domain, "*.example.org"], projects: ["docs"] }),
            `${domain}, *.example.org, project docs`,
        );
        assert.equal(listReach({ domains: null, projects: null }), "everything");
        assert.equal(listReach({ domains: [], projects: null }), "nothing");
        assert.equal(listReach({ domains: null, projects: [] }), "nothing");
    });

    it("is described in one short line of the audit log, with what the key may do and until when", () => {
        const rights = { scopes: ["read", "export"] as const, domains: [domain], projects: [], expiresAt: null };
        assert.equal(describeRights(rights), `read, export for ${domain}, without an expiry`);
        const expiresAt = new Date("2027-01-01T00:00:00Z");
        const many = { ...rights, domains: null, projects: Array.from({ length: 200 }, (_, place) => `a\n${place}`) };
        const described = describeRights({ ...many, expiresAt });
        assert.match(described, /^read, export for project a 0, .*, until 2027-01-01T00:00:00\.000Z$/);
        assert.equal(described.length, 500 + "read, export for ".length + ", until 2027-01-01T00:00:00.000Z".length);
    });
});

describe("A new key", () => {
    const resolve = (scopes: KeyScope[], domains: string[] | null, projects: string[] | null) =>
        resolveReach({ scopes, domains, projects });

    it("reaches everything if it names no domains and no projects, and otherwise only what it names", () => {
        assert.deepEqual(resolve(["export", "agent"], null, null), { domains: null, projects: null });
        assert.deepEqual(resolve(["export"], ["Docs.Example.com", "*.Example.org"], null), {
            domains: [domain, "*.example.org"],
            projects: [],
        });
        assert.deepEqual(resolve(["agent"], null, ["docs"]), { domains: [], projects: ["docs"] });
        assert.deepEqual(resolve(["export", "agent"], [domain], ["docs"]), { domains: [domain], projects: ["docs"] });
    });

    it("is refused if it may use agent jobs and names only domains, or exports and names only projects", () => {
        assert.throws(() => resolve(["agent"], [domain], null), {
            ...{ name: "InvalidKeyError", message: /name its projects, too, or leave out the scope agent\.$/ },
        });
        assert.throws(
            () => resolve(["export"], null, ["docs"]),
            /name its domains, too, or leave out the scope export/,
        );
    });

    it("is refused with something else than a domain", () => {
        for (const wrong of ["https://docs.example.com", "*.*.example.com", "*."]) {
            assert.throws(
                () => resolve(["read"], [domain, wrong], null),
                (error: Error) =>
                    error instanceof InvalidKeyError &&
                    error.message === `"${wrong}" is not a domain such as docs.example.com or *.example.com.`,
            );
        }
    });
});
