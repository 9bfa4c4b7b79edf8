import assert from "node:assert/strict";
import { Git } from "../../../service/src/git/git.js";
import { runRemote } from "../../../service/src/git/run-remote.js";
import { ProcessMark } from "../../../service/src/processes/process-mark.js";
import { type Reply, withServer } from "../../sdk/support/http-server.js";

const token = "forge_5ecret";
const authorization = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;

/** Requests a password, as a forge does. */
const askPassword: Reply = (response) => {
    response.writeHead(401, { "www-authenticate": 'Basic realm="Git"' }).end();
};
const redirectTo =
    (baseUrl: string): Reply =>
    (response, { url }) => {
        response.writeHead(302, { location: `${baseUrl}${url}` }).end();
    };

/** Lists a remote's branches as git does for an agent job whose forge is at `origin`. */
async function listRemote(baseUrl: string, origin = baseUrl): Promise<string> {
    return openGit(origin)
        .run(["ls-remote", `${baseUrl}/acme/docs.git`], { isRemote: true })
        .catch(String);
}

function openGit(origin: string): Git {
    return new Git({
        memoryMegabytes: 512,
        mark: ProcessMark.ofGit("/data"),
        protocol: "http",
        credentials: { origin, user: "x-access-token", password: token },
        env: { PATH: process.env["PATH"] },
    });
}

describe("The forge's token in git requests", () => {
    it("is sent to a repository on the forge if requested", async () => {
        await withServer([askPassword], async ({ baseUrl, requests }) => {
            const failure = await listRemote(baseUrl);
            assert.deepEqual(
                requests.map(({ headers }) => headers.authorization),
                [undefined, authorization],
            );
            assert.doesNotMatch(failure, new RegExp(token));
        });
    });

    it("is not sent to another origin, even if requested", async () => {
        await withServer([askPassword], async ({ baseUrl, requests }) => {
            await listRemote(baseUrl, "https://git.example.com");
            assert.ok(requests.length > 0);
            assert.ok(requests.every(({ headers }) => headers.authorization === undefined));
        });
    });

    for (const [when, before] of [
        ["at once", []],
        ["when it has the token", [askPassword]],
    ] as const) {
        it(`is not sent to another origin after a redirect of the forge: ${when}`, async () => {
            await withServer([askPassword], async (other) => {
                await withServer([...before, redirectTo(other.baseUrl)], async ({ baseUrl, requests }) => {
                    assert.match(await listRemote(baseUrl), /GitError: git ls-remote exited with code 128: .*302/s);
                    assert.equal(requests.length, before.length + 1);
                    assert.deepEqual(other.requests, []);
                });
            });
        });
    }
});

describe("A repository whose forge redirects git", () => {
    it("is reported as moved, without another try", async () => {
        await withServer([redirectTo("https://git.example.com/manual")], async ({ baseUrl, requests }) => {
            const addressOption = "--agent-project";
            const sleep = () => Promise.reject(new Error("a moved repository was tried again"));
            await assert.rejects(
                runRemote(openGit(baseUrl), ["ls-remote", `${baseUrl}/acme/docs.git`], { addressOption }, sleep),
                /^GitError: git ls-remote .*302\nThe repository has moved, .* name its new address in --agent-project\.$/s,
            );
            assert.equal(requests.length, 1);
        });
    });
});
