import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/**
 * The indexes of the environment's beginning and end among the fields of /proc/self/stat that follow the name (man 5
 * proc_pid_stat).
 */
const startField = 50 - 3;
const endField = 51 - 3;

/**
 * Hides this process's environment from other processes of this user, which could read it in /proc: the variables
 * remain, but only in this process's memory. Returns false if the system does not allow it, such as on macOS.
 */
export function hideEnvironment(): boolean {
    for (const [name, value] of Object.entries(process.env)) {
        // Copies the value, because the variables point into the memory that is cleared.
        process.env[name] = value;
    }
    try {
        const stat = readFileSync("/proc/self/stat", "latin1");
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const start = Number(fields[startField]);
        const length = Number(fields[endField]) - start;
        const memory = openSync("/proc/self/mem", "r+");
        try {
            writeSync(memory, Buffer.alloc(length), 0, length, start);
        } finally {
            closeSync(memory);
        }
        return !/[^\0]/.test(readFileSync("/proc/self/environ", "latin1"));
    } catch {
        return false;
    }
}
