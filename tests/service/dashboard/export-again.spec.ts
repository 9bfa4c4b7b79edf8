import assert from "node:assert/strict";
import { failedOf } from "../../../service/src/dashboard/export-again.js";
import { type InternalApi } from "../../../service/src/dashboard/internal-api.js";
import { type Caller, operator } from "../../../service/src/http/protocol/caller.js";

const own = "docs.example.com";
const viewer: Caller = {
    ...operator,
    grants: [
        { scopes: ["read"], domains: null, projects: null },
        { scopes: ["export"], domains: [own], projects: null },
    ],
};

/** Pages of 100 failed exports, those of the given places of the viewer's own site. */
function apiWith(count: number, ...places: readonly number[]) {
    let pages = 0;
    const api = {
        get: (_viewer: Caller, _name: string, path: string) => {
            pages += 1;
            const begin = Number(new URL(path, "http://service").searchParams.get("cursor") ?? "0");
            const end = Math.min(begin + 100, count);
            const jobs = Array.from({ length: end - begin }, (_, index) => {
                const place = begin + index;
                const domain = places.includes(place) ? own : "other.example.com";
                return { jobId: `se_${place}`, status: "failed", domain };
            });
            return Promise.resolve({ jobs, next: end < count ? String(end) : null });
        },
    };
    return { api: api as unknown as Pick<InternalApi, "get">, pages: () => pages };
}

const idsOf = ({ jobs }: Awaited<ReturnType<typeof failedOf>>) => jobs.map(({ jobId }) => jobId);

describe("The failed exports that a person may start again", () => {
    it("are found behind many that the person may only read", async () => {
        const { api } = apiWith(250, 7, 240);
        const found = await failedOf(api, viewer, { cursor: "200" });
        assert.deepEqual([idsOf(found), found.hasMore], [["se_7", "se_240"], false]);
    });

    it("are the newest 100, and no more pages are read than these need", async () => {
        const { api, pages } = apiWith(500, ...Array.from({ length: 250 }, (_, index) => index + 50));
        const found = await failedOf(api, viewer, {});
        assert.deepEqual([found.jobs.length, idsOf(found).at(-1), found.hasMore, pages()], [100, "se_149", true, 2]);
    });

    it("are not promised if 2000 failures have none", async () => {
        const { api, pages } = apiWith(9000, 8000);
        const found = await failedOf(api, viewer, {});
        assert.deepEqual([found.jobs, found.hasMore, pages()], [[], false, 20]);
    });
});
