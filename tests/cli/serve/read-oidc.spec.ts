import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOidc } from "../../../cli/src/serve/read-oidc.js";

describe("The options for an identity provider", () => {
    const folder = mkdtempSync(join(tmpdir(), "oidc-"));
    after(() => rmSync(folder, { recursive: true }));
    const provider = { oidcIssuer: "https://login.example.com", oidcClientId: "docs" };
    const fileWith = (content: string, encoding: BufferEncoding = "utf8"): string => {
        const file = join(folder, "groups.json");
        writeFileSync(file, content, encoding);
        return file;
    };

    it("turn the sign-in on only together", () => {
        assert.equal(readOidc({}), undefined);
        assert.throws(() => readOidc(provider), /needs --oidc-issuer, --oidc-client-id and --oidc-groups-file\./);
        assert.throws(() => readOidc({ oidcScope: "openid" }), /needs --oidc-issuer/);
    });

    it("read the rights of groups from a file", () => {
        const oidcGroupsFile = fileWith('{"team":{"scopes":["read"]}}');
        assert.partialDeepStrictEqual(readOidc({ ...provider, oidcGroupsFile, oidcSessionMinutes: 5 }), {
            issuer: "https://login.example.com",
            clientId: "docs",
            groups: { team: { scopes: ["read"] } },
            sessionMinutes: 5,
        });
    });

    for (const encoding of ["utf8", "utf16le"] as const) {
        it(`read a file of groups with a byte order mark: ${encoding}`, () => {
            const oidcGroupsFile = fileWith('\uFEFF{"team":{"scopes":["read"]}}', encoding);
            assert.deepEqual(readOidc({ ...provider, oidcGroupsFile })?.groups, { team: { scopes: ["read"] } });
        });
    }

    it("refuse a file of groups that is missing, or contains no object", () => {
        const read = (oidcGroupsFile: string) => () => readOidc({ ...provider, oidcGroupsFile });
        assert.throws(read(join(folder, "none")), /The groups file .*none cannot be read: ENOENT/);
        assert.throws(read(fileWith("[]")), /cannot be read: it must contain an object\./);
        assert.throws(read(fileWith("{")), /cannot be read: /);
    });
});
