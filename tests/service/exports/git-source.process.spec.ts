import assert from "node:assert/strict";
import { parseGitSource, resolveGitTokens } from "../../../service/src/exports/git-source.js";

const parse = (text: string) => parseGitSource("docs.example.com", text);

describe("The repository of a site", () => {
    it("is an address with an optional branch and folder", () => {
        const url = "https://git.example.com/acme/docs.git";
        assert.deepEqual(parse(`git+${url}#release/2:guides/start`), {
            url,
            branch: "release/2",
            folder: "guides/start",
        });
        assert.equal(parse(`git+${url}#:./guides//start`)?.folder, "guides/start");
        assert.deepEqual(parse(`git+${url}#:guides/`), { url, branch: undefined, folder: "guides" });
        assert.deepEqual(parse(`git+${url}#main`), { url, branch: "main", folder: "." });
        assert.deepEqual(parse(`git+${url}`), { url, branch: undefined, folder: "." });
    });

    it("may have an SSH address that contains the user name", () => {
        assert.equal(
            parse("git+ssh://git@git.example.com/acme/docs.git")?.url,
            "ssh://git@git.example.com/acme/docs.git",
        );
    });

    it("is not recognised in a folder path", () => {
        assert.equal(parse("./docs"), undefined);
        assert.equal(parse("/sites/git+docs"), undefined);
    });

    for (const [title, text, message] of [
        ["no full URL", "git+git@git.example.com:acme/docs.git", /after git\+ there must be a full URL/],
        ["a protocol that runs commands", "git+ext::sh", /after git\+ there must be a full URL/],
        ["a token", "git+https://user:s3cr3t@git.example.com/docs.git", /--git-token-env names/],
        ["no branch's name", "git+https://git.example.com/docs.git#--upload-pack=x", /is not the name of a branch/],
        ["a folder outside of it", "git+https://git.example.com/docs.git#main:../etc", /is not a folder of the repo/],
    ] as const) {
        it(`is refused with ${title}, without repeating the address`, () => {
            assert.throws(
                () => parse(text),
                ({ message: said }: Error) => message.test(said) && !said.includes("s3cr3t"),
            );
        });
    }
});

describe("A token for repositories", () => {
    it("belongs to one origin", () => {
        assert.deepEqual(
            resolveGitTokens({ "https://git.example.com/": "t0ken" }),
            new Map([["https://git.example.com", "t0ken"]]),
        );
    });

    for (const address of ["http://git.example.com", "https://git.example.com/acme", "git.example.com"]) {
        it(`is refused for ${address}, which is not an https origin`, () => {
            assert.throws(() => resolveGitTokens({ [address]: "t0ken" }), /needs an https origin/);
        });
    }

    it("may be sent without TLS to this machine", () => {
        assert.equal(resolveGitTokens({ "http://127.0.0.1:3000": "t0ken" }).get("http://127.0.0.1:3000"), "t0ken");
    });

    for (const [what, token] of [
        ["is empty", ""],
        ["begins with a line break", "\nt0ken"],
        ["ends with a line break", "t0ken\n"],
    ] as const) {
        it(`is refused if it ${what}`, () => {
            assert.throws(
                () => resolveGitTokens({ "https://git.example.com": token }),
                /is empty, or holds white space/,
            );
        });
    }
});
