import assert from "node:assert/strict";
import { commitUrl } from "../../../service/src/forge/commit-url.js";

const commit = "4f2a91b";
const gitlab = { kind: "gitlab", apiUrl: "https://git.example.com/gitlab/api/v4" } as const;

describe("The page of a commit", () => {
    for (const [repository, page] of [
        ["https://github.com/acme/docs", "https://github.com/acme/docs/commit/4f2a91b"],
        ["https://user:secret@github.com/acme/docs.git", "https://github.com/acme/docs/commit/4f2a91b"],
        ["git@github.com:acme/docs.git", "https://github.com/acme/docs/commit/4f2a91b"],
        ["ssh://git@gitlab.com:22/acme/sub/docs.git", "https://gitlab.com/acme/sub/docs/-/commit/4f2a91b"],
        ["https://codeberg.org/acme/docs/", "https://codeberg.org/acme/docs/commit/4f2a91b"],
        ["https://git.example.com/gitlab/acme/docs.git", "https://git.example.com/gitlab/acme/docs/-/commit/4f2a91b"],
    ] as const) {
        it(`of ${repository} is ${page}`, () => {
            assert.equal(commitUrl(repository, commit, gitlab), page);
        });
    }

    for (const repository of [
        ...["https://git.example.net/acme/docs", "https://git.example.com/other/docs", "file:///srv/docs", "/srv/docs"],
        ...[
            "https://github.com.evil.example/acme/docs",
            "javascript:alert(1)//github.com/a",
            "git@example.com:a/b.git",
        ],
    ]) {
        it(`is unknown for ${repository}`, () => {
            assert.equal(commitUrl(repository, commit, gitlab), undefined);
        });
    }
});
