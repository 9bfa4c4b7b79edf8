import assert from "node:assert/strict";
import { OperatorKeys } from "../../../service/src/keys/operator-keys.js";

describe("The service's own keys", () => {
    interface Fixture {
        keys: OperatorKeys;
        log: string[];
        /** Changes the file, and lets so much time pass that it is read again. */
        write: (read: () => string) => void;
    }

    function begin(text: string): Fixture {
        let elapsedMs = 9000;
        let read = (): string => text;
        const log: string[] = [];
        const logger = { info: (line: string) => void log.push(line), error: (line: string) => void log.push(line) };
        const keys = new OperatorKeys({ read: () => read(), logger, elapsedMs: () => elapsedMs });
        return {
            keys,
            log,
            write: (next) => {
                read = next;
                elapsedMs += 5000;
            },
        };
    }

    it("are valid together while one replaces another, without a restart", () => {
        const { keys, log, write } = begin("admin_key_that_is_old");
        const session = keys.firstId;
        write(() => "admin_key_that_is_new\nadmin_key_that_is_old\n");
        assert.deepEqual(
            [keys.idOf("admin_key_that_is_new") !== undefined, keys.idOf("admin_key_that_is_old")],
            [true, session],
        );
        assert.equal(keys.isValid(session), true);
        write(() => "admin_key_that_is_new\n");
        assert.deepEqual([keys.idOf("admin_key_that_is_old"), keys.isValid(session)], [undefined, false]);
        assert.deepEqual(log, [
            "The service's own key has changed: 2 are valid.",
            "The service's own key has changed: one is valid.",
        ]);
    });

    it("stay as they were while their file is missing or empty, which the log says once", () => {
        const { keys, log, write } = begin("admin_key_that_is_old");
        const missing = (): string => {
            throw new Error("The file does not exist.");
        };
        write(missing);
        assert.notEqual(keys.idOf("admin_key_that_is_old"), undefined);
        write(missing);
        assert.notEqual(keys.idOf("admin_key_that_is_old"), undefined);
        write(() => "\n");
        assert.notEqual(keys.idOf("admin_key_that_is_old"), undefined);
        assert.deepEqual(log, [
            "The service's own key has not changed: The file does not exist.",
            "The service's own key has not changed: The admin API key is empty.",
        ]);
    });

    it("are not read for every request", () => {
        let reads = 0;
        const read = (): string => `admin_key_number_${++reads}`;
        const logger = { info: () => undefined, error: () => undefined };
        const keys = new OperatorKeys({ read, logger, elapsedMs: () => 9000 });
        assert.deepEqual(
            [keys.idOf("admin_key_number_2"), keys.idOf("admin_key_number_1") === undefined, reads],
            [undefined, false, 1],
        );
    });

    it("have at least 16 characters, because shorter ones can be guessed", () => {
        assert.throws(
            () => begin("a".repeat(15)),
            /^ServiceOptionsError: The admin API key must have at least 16 characters: create one with openssl rand -hex 32\.$/,
        );
        assert.throws(() => begin(`${"a".repeat(16)}\n${"b".repeat(15)}`), /at least 16 characters/);
        assert.equal(begin("a".repeat(16)).keys.firstId.length, 22);
    });

    it("contain no white space", () => {
        const message = "The admin API key must not contain white space.";
        assert.throws(() => begin("admin_key_that_is_old\nadmin key_that_is_new"), { message });
    });

    it("do not fill the log while their file stays the same", () => {
        const { keys, log, write } = begin("admin_key_that_is_old");
        write(() => "admin_key_that_is_old\n");
        assert.notEqual(keys.idOf("admin_key_that_is_old"), undefined);
        assert.deepEqual(log, []);
    });
});
