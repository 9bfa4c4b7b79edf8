import assert from "node:assert/strict";
import { join } from "node:path";
import { journalFolder } from "../../../../provider/src/engine/journal/journal-folder.js";

describe("the journal's folder", () => {
    const below = (path: string) => join(path, "pulumi-static-export", "jobs");
    const inHome = /\.local.state.pulumi-static-export.jobs$/;

    it("is the folder that STATIC_EXPORT_JOURNAL_DIR names", () => {
        assert.equal(journalFolder({ STATIC_EXPORT_JOURNAL_DIR: "/a", XDG_STATE_HOME: "/b" }), "/a");
    });

    it("is in XDG_STATE_HOME if that variable is set", () => {
        assert.equal(journalFolder({ XDG_STATE_HOME: "/b" }), below("/b"));
    });

    it("is in the user's home if neither variable is set, or if XDG_STATE_HOME is not absolute", () => {
        for (const env of [
            {},
            { STATIC_EXPORT_JOURNAL_DIR: "" },
            { XDG_STATE_HOME: "" },
            { XDG_STATE_HOME: "state" },
        ]) {
            assert.match(journalFolder(env) ?? "", inHome);
        }
    });
});
