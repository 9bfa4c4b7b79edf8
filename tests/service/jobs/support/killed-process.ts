import { writeSync } from "node:fs";
import { openSqliteDatabase } from "../../../../service/src/database/sqlite-database.js";
import { History } from "./linearizability.js";
import { ParallelClient } from "./parallel-client.js";
import { createShared, ParallelWorker } from "./parallel-workers.js";

/*
 * A service with its own database, which a spec kills at any moment. Each line of its output is written before the
 * process continues, so that none is lost.
 */
const [folder = "", seed = "", ...ids] = process.argv.slice(2);
const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const database = openSqliteDatabase(folder);
const history = new History({
    called: (call) => say({ call }),
    answered: (id, object, operation) => say({ id, object, operation }),
});
const shared = createShared(Number(seed), history);
const known = {
    jobs: ids.filter((id) => id.startsWith("se_")),
    agentJobs: ids.filter((id) => id.startsWith("aj_")),
};
const workers = [false, true].map((forAgents) => new ParallelWorker(database, shared, forAgents));
say({ restart: true });
await Promise.all(workers.map((worker) => worker.startAlone()));
say({ restarted: true });
const clients = [1, 2, 3].map(() => new ParallelClient(database, shared, known));
await Promise.all(
    clients.map(async (client) => {
        for (;;) {
            await client.act();
            workers.forEach((worker) => worker.wake());
        }
    }),
);
