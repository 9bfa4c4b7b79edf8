import { withSqlite } from "../support/sqlite.js";
import { declareRounds } from "./support/retention-rounds.js";

describe("The rounds of the retention, on SQLite,", () => declareRounds(withSqlite));
