import assert from "node:assert/strict";
import { ForgeClient, ForgeError } from "@pulumi-static-export/service/forge";
import { type Reply, withServer } from "../../sdk/support/http-server.js";

const page = (entries: unknown, next?: string): Reply => {
    return (response) => {
        const link = next === undefined ? {} : { link: `<${next}>; rel="next"` };
        response.writeHead(200, { "content-type": "application/json", ...link }).end(JSON.stringify(entries));
    };
};

describe("A list of GitHub or GitLab", () => {
    const listFrom = async (replies: (baseUrl: string) => Reply[]) => {
        const found: unknown[] = [];
        let url = "";
        const late: Reply = (response, request) => replies(url)[requestCount++]!(response, request);
        let requestCount = 0;
        await withServer([late], async ({ baseUrl }) => {
            url = baseUrl;
            const client = new ForgeClient({ kind: "github", apiUrl: baseUrl, token: "t", advice: {} });
            for await (const entry of client.list<{ id: number }>("/comments")) {
                found.push(entry);
            }
        });
        return found;
    };

    it("has the entries of all pages, without empty ones", async () => {
        const found = await listFrom((url) => [page([{ id: 1 }, null], `${url}/comments?page=2`), page([{ id: 2 }])]);
        assert.deepEqual(found, [{ id: 1 }, { id: 2 }]);
    });

    it("is refused if a page names itself as the next page", async () => {
        await assert.rejects(
            listFrom((url) => [page([{ id: 1 }], `${url}/comments`), page([{ id: 1 }], `${url}/comments`)]),
            (error) =>
                error instanceof ForgeError && /names a page of its list as its own next page/.test(error.message),
        );
    });
});
