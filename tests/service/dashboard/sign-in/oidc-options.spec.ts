import assert from "node:assert/strict";
import { type OidcOptions, resolveOidc } from "../../../../service/src/dashboard/sign-in/oidc-options.js";

const usual: OidcOptions = {
    issuer: "https://login.example.com/realms/acme",
    clientId: "docs",
    groups: { team: { scopes: ["read"] } },
};

const refused: Record<string, [Record<string, unknown>, message: RegExp]> = {
    "an issuer without TLS": [{ issuer: "http://login.example.com" }, /must be an https URL/],
    "an issuer with a query": [{ issuer: "https://login.example.com/?a=b" }, /must be an https URL/],
    "an issuer that is not a URL": [{ issuer: "login" }, /"login" must be an https URL/],
    "scopes without openid": [{ scope: "profile" }, /must include openid/],
    "no group": [{ groups: {} }, /name at least one group/],
    "a group without rights": [{ groups: { team: null } }, /Group team: scopes must be a list of read, export/],
    "an unknown scope": [{ groups: { team: { scopes: ["write"] } } }, /Group team: scopes must be a list of read/],
    "an unknown name": [
        { groups: { team: { scopes: ["read"], sites: [] } } },
        /Group team: "sites" is not one of scopes/,
    ],
    "domains that are not a list": [
        { groups: { team: { scopes: ["read"], domains: "a.example.com" } } },
        /must be lists/,
    ],
    "a domain that is none": [{ groups: { team: { scopes: ["read"], domains: ["a b"] } } }, /"a b" is not a domain/],
    "exports without domains": [
        { groups: { team: { scopes: ["export"], projects: ["docs"] } } },
        /Group team: A group that is limited to projects cannot reach exports/,
    ],
};

describe("An identity provider", () => {
    for (const [what, [options, message]] of Object.entries(refused)) {
        it(`is refused with ${what}`, () => {
            assert.throws(() => resolveOidc({ ...usual, ...options }), message);
        });
    }

    it("may have no TLS on this machine", () => {
        assert.equal(resolveOidc({ ...usual, issuer: "http://localhost:8080" }).issuer.port, "8080");
    });

    it("limits a group with domains to these, also for agent jobs", () => {
        const groups = { team: { scopes: ["read"], domains: ["Docs.Example.com"] } } as const;
        assert.deepEqual(resolveOidc({ ...usual, groups }).groups.get("team"), {
            scopes: ["read"],
            domains: ["docs.example.com"],
            projects: [],
        });
    });
});
