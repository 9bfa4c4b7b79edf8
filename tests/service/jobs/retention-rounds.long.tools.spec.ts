import { usePostgres, withPostgres } from "../support/postgres.js";
import { declareRounds } from "./support/retention-rounds.js";

describe("The rounds of the retention, on PostgreSQL,", () => {
    const server = usePostgres();
    declareRounds((use) => withPostgres(server(), use));
});
