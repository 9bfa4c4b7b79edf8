import assert from "node:assert/strict";
import { assertForgeAddress, assertOnForge, isOnForge } from "../../../service/src/forge/forge-address.js";
import { ServiceOptionsError } from "../../../service/src/shared/service-options-error.js";

const github = { kind: "github", apiUrl: "https://api.github.com" } as const;
const below = { kind: "gitlab", apiUrl: "https://git.example.com/gitlab/api/v4" } as const;
const gitlab = { kind: "gitlab", apiUrl: "https://gitlab.example.com/api/v4" } as const;

describe("The token of a forge", () => {
    const places: [string, typeof github | typeof gitlab | typeof below, string, boolean][] = [
        ["to GitHub's own repositories", github, "https://github.com/acme/docs", true],
        ["to repositories of a GitLab with the API's host", gitlab, "https://gitlab.example.com/acme/docs.git", true],
        ["to no other host", github, "https://git.example.com/acme/docs", false],
        ["to no host whose name only ends alike", github, "https://notgithub.com/acme/docs", false],
        ["to no subdomain", github, "https://gist.github.com/acme/docs", false],
        ["to no other port", gitlab, "https://gitlab.example.com:8443/acme/docs", false],
        ["below the path of a forge that has one", below, "https://git.example.com/gitlab/acme/docs", true],
        ["to no path next to it", below, "https://git.example.com/gitlab-old/acme/docs", false],
        ["not over plain http", gitlab, "http://gitlab.example.com/acme/docs", false],
    ];
    for (const [where, forge, repository, isSent] of places) {
        it(`is sent ${where}`, () => {
            assert.equal(isOnForge(forge, repository), isSent);
            const check = (): void => assertOnForge(forge, "docs", repository);
            if (isSent) {
                check();
            } else {
                assert.throws(
                    check,
                    /^ServiceOptionsError: Project docs: its repository is at http.* is sent to https:/,
                );
            }
        });
    }

    it("is not required for repositories that need no token", () => {
        assertOnForge(github, "docs", "ssh://git@git.example.com/acme/docs.git");
        assertOnForge(github, "docs", "file:///srv/docs.git");
    });
});

describe("The address of a forge's API", () => {
    for (const apiUrl of [
        "https://gitlab.example.com/api/v4",
        "http://127.0.0.1:8080",
        "http://[::1]:1",
        "http://localhost",
    ]) {
        it(`may be ${apiUrl}`, () => assertForgeAddress({ apiUrl }));
    }

    const refused: Record<string, RegExp> = {
        "http://gitlab.example.com/api/v4": /must begin with https, because the token is sent there/,
        "http://127.0.0.1.example.com": /must begin with https/,
        "https://t0ken@gitlab.example.com/api/v4": /not contain a user, a query or a fragment.*--agent-forge-token-env/,
        "https://gitlab.example.com/api/v4?private_token=t0ken": /not contain a user, a query or a fragment/,
        "gitlab.example.com": /must be an http or https URL/,
    };
    for (const [apiUrl, message] of Object.entries(refused)) {
        it(`may not be ${apiUrl}`, () => {
            assert.throws(
                () => assertForgeAddress({ apiUrl }),
                (error: unknown) => {
                    assert.ok(error instanceof ServiceOptionsError);
                    assert.match(error.message, message);
                    assert.doesNotMatch(error.message, /t0ken/);
                    return true;
                },
            );
        });
    }
});
