import assert from "node:assert/strict";
import {
    DatabaseDamagedError,
    DatabaseUnavailableError,
    RefusedValueError,
} from "../../../service/src/database/database.js";
import { toServiceError } from "../../../service/src/database/sqlite-errors.js";

function fromDriver(errcode: number, message = "a message of the driver"): Error {
    return Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });
}

describe("An error of SQLite", () => {
    const unavailable = {
        SQLITE_FULL: [13, "the disk is full"],
        SQLITE_IOERR_WRITE: [778, "the disk cannot be read or written"],
        SQLITE_READONLY: [8, "the disk cannot be written"],
        SQLITE_BUSY: [5, "another program has locked it"],
        SQLITE_CANTOPEN: [14, "the disk cannot be read or written"],
    } as const;
    for (const [name, [code, reason]] of Object.entries(unavailable)) {
        it(`says that trying again helps, and why: ${name}`, () => {
            const error = toServiceError(fromDriver(code), "/data");
            assert.ok(error instanceof DatabaseUnavailableError);
            assert.equal(error.reason, reason);
            assert.equal(error.message, `The database service.sqlite in data folder /data cannot be used: ${reason}.`);
        });
    }

    it("about a missing table names the table, instead of calling the file damaged", () => {
        const error = toServiceError(fromDriver(1, "no such table: workers"), "/data");
        assert.ok(error instanceof DatabaseDamagedError);
        assert.equal(
            error.message,
            "The database service.sqlite in data folder /data has no table workers, because another program has " +
                "changed it: restore a backup.",
        );
    });

    it("about the file's content names the remedy", () => {
        const error = toServiceError(fromDriver(11, "database disk image is malformed"), "/data");
        assert.ok(error instanceof DatabaseDamagedError);
        assert.match(error.message, /is damaged: restore a backup/);
    });

    it("about a value says that trying again does not help", () => {
        const error = toServiceError(fromDriver(19, "cannot store REAL value in INTEGER column jobs.count"), "/data");
        assert.ok(error instanceof RefusedValueError);
        assert.equal(error.statusCode, 400);
    });

    it("about a broken rule of a table is not the client's mistake", () => {
        const error = toServiceError(fromDriver(2067, "UNIQUE constraint failed: workers.id"), "/data");
        assert.ok(error instanceof RefusedValueError);
        assert.equal(error.statusCode, 500);
    });
});
