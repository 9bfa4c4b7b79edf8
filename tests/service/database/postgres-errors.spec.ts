import assert from "node:assert/strict";
import { DatabaseRefusedError, isTemporary, RefusedValueError } from "../../../service/src/database/database.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { toServiceError } from "../../../service/src/database/postgres-errors.js";

describe("Errors of a PostgreSQL database", () => {
    for (const [what, file] of [
        ["does not exist", "/nowhere/ca.crt"],
        ["is a folder", "/"],
    ] as const) {
        it(`name the file of the address if it ${what}, and not the password`, async () => {
            const database = new PostgresDatabase(
                `postgres://docs:s3cr3t@127.0.0.1:1/docs?sslmode=verify-full&sslrootcert=${file}`,
            );
            await assert.rejects(database.get("SELECT 1"), (error: Error) => {
                assert.ok(error instanceof DatabaseRefusedError);
                assert.match(
                    error.message,
                    /^The database's address names a file that cannot be read \((ENOENT|EISDIR)/,
                );
                assert.match(error.message, /Check sslrootcert/);
                assert.doesNotMatch(error.message, /s3cr3t/);
                return true;
            });
            await database.close();
        });
    }

    it("say how to trust the certificate of a private CA", () => {
        for (const code of ["SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"]) {
            const error = toServiceError(Object.assign(new Error("self-signed certificate"), { code }));
            assert.ok(error instanceof DatabaseRefusedError);
            assert.match(error.message, /is not trusted: .*sslmode=verify-full&sslrootcert=/);
        }
    });

    it("say what to do about a server without TLS", () => {
        const error = toServiceError(new Error("The server does not support SSL connections"), true);
        assert.ok(error instanceof DatabaseRefusedError);
        assert.match(error.message, /does not use TLS.*: turn TLS on there, or remove sslmode from the address\.$/);
    });

    const refusals = { closed: "55000", user: "28000", password: "28P01", database: "3D000", right: "42501" };
    for (const [what, code] of Object.entries(refusals)) {
        it(`count a refusal of the connection as one that an operator can undo (${what}, ${code})`, () => {
            const error = toServiceError(Object.assign(new Error("not permitted"), { code }), true);
            assert.ok(error instanceof DatabaseRefusedError);
            assert.ok(isTemporary(error));
            assert.match(
                error.message,
                new RegExp(`^The database refuses the connection: not permitted \\(${code}\\)`),
            );
        });
    }

    it("distinguish a right that the user lacks from a value or a state that a statement cannot have", () => {
        const errorOf = (code: string) => toServiceError(Object.assign(new Error("refused"), { code }));
        assert.ok(isTemporary(errorOf("42501")));
        assert.ok(errorOf("23505") instanceof RefusedValueError);
        assert.ok(!isTemporary(errorOf("55000")));
        assert.ok(!isTemporary(errorOf("42601")));
    });

    for (const code of ["42P01", "42703"]) {
        it(`count a missing table or column as a change that an operator can undo (${code})`, () => {
            const error = toServiceError(Object.assign(new Error('relation "admin_keys" does not exist'), { code }));
            assert.ok(error instanceof DatabaseRefusedError);
            assert.match(
                error.message,
                /lacks a table or column of the service: relation "admin_keys".*restore a backup/,
            );
        });
    }

    it("still count a refused connection as one that may succeed later", () => {
        const error = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" });
        assert.match(String(toServiceError(error)), /cannot be reached \(ECONNREFUSED\)/);
    });
});
