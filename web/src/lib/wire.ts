// Made from the server's messages by wire_types.py: change fabletop/server/wire.py, then run it again.


/** Answer a choice with one of its options, by text or by number. `id` is made by the client, new for every answer, the same when the same answer is sent again: it is carried out once and acknowledged as often as it is sent. `choice` is the `id` of the choice that is answered. */
export interface Act {
  type: "act";
  id: string;
  choice: number;
  action: string | number;
  seat?: number | null;
}

/** Take your seat back from the bot. */
export interface Back {
  type: "back";
}

/** A new hot-seat table that goes on after the first `at` actions of a finished game or of one's own hot-seat game. */
export interface Branch {
  at: number;
}

/** The server closes this socket. With `again`, connect again and go on from your last `seq`. */
export interface Bye {
  type: "bye";
  reason: string;
  again: boolean;
}

/** Say something to the people at the table. Spectators neither read nor write. */
export interface Chat {
  type: "chat";
  text: string;
}

/** A line of the chat. */
export interface ChatSays {
  type: "chat";
  n: number;
  at: number;
  seat: number;
  name: string;
  text: string;
}

/** The question put to your seat. `id` goes back with the answer; `kind` names the question, `about` is what it is about (cards, seats, counts: as the game has it), `options` are the actions among which to choose; `prompt` and `labels` say both in words where a language is asked for; `left`: so many seconds remain; `reveals`, where `hello` has asked for it: options that would show somebody something hidden. */
export interface ChoiceNow {
  id: number;
  kind: string;
  options: string[];
  about: Record<string, unknown>;
  prompt?: string;
  labels?: string[];
  left?: number | null;
  reveals?: string[];
}

/** The host, or the last person at the table: give the game up. */
export interface Close {
  type: "close";
}

/** What you asked for is done and stored. `id` as you gave it; `seq` the update you have reached by it; `token` your new token; `table` another table to go to. */
export interface Done {
  type: "done";
  id?: string;
  seq?: number | null;
  token?: string;
  table?: string;
  seat?: number | null;
  host?: string;
}

/** Your message was not carried out, and why. `code` is one of a fixed list, `message` is for people. `id` is that of your message, if it had one, also where nothing else of the message could be understood. */
export interface Error {
  type: "error";
  code: string;
  message: string;
  id?: string;
}

/** The first message on a socket: which table, and who you are. Without `token` you are a spectator. `seat` chooses among the seats of your token (hot seat); `seq` is the last update you have, so that only what you missed is sent; `lang` (en, fr, de) adds words to events and choices; `reveals` adds to choices which options cannot be taken back, since they would show somebody something hidden. */
export interface Hello {
  type: "hello";
  table: string;
  token?: string | null;
  seat?: number | null;
  seq?: number | null;
  lang?: string | null;
  reveals?: boolean;
}

/** Ask what a strong bot would do in your place. Only where all other seats are bots. */
export interface Hint {
  type: "hint";
  id: string;
  seat?: number | null;
}

/** The options of your choice, best first, with what is to be expected of each. `id` is that of your `hint`, `choice` that of the choice. Every option has its `action`, as it stands in the choice; `victory`, your share of the victory to be expected, from 0 to 1; `points`, your points to be expected at the end; and `visits`, how often the bot has tried it: the more, the surer the two figures. */
export interface Hinted {
  type: "hint";
  id: string;
  choice: number;
  options: (Record<string, unknown>)[];
}

/** Let a bot of `level` play for you. You can come back with `back`. */
export interface Leave {
  type: "leave";
  level?: string;
}

/** Ask for the whole view again, or, with `seat`, look from another seat of your token (hot seat). */
export interface Look {
  type: "look";
  seat?: number | null;
}

/** The tables that these tokens open. */
export interface Mine {
  tokens: string[];
}

/** A new table. `seats` has an entry for every seat; the maker sits down at the first open one if `name` is given. What `options` there are for a game is told by `/api/about`. */
export interface NewTable {
  game: string;
  options?: Record<string, unknown>;
  seats?: SeatPlan[];
  name?: string;
  pace?: Pace;
  listed?: boolean;
  spectators?: boolean;
  seed?: string | null;
}

/** The clock. `kind` is `none`, `move` (so many seconds for every choice) or `game` (so many in all, and `extra` with every choice; who has used them up has 10 seconds for every choice). When time is out a bot makes the move, and the person can go on after it. */
export interface Pace {
  kind?: string;
  seconds?: number;
  extra?: number;
}

/** Is anybody there? */
export interface Ping {
  type: "ping";
  n?: number;
}

/** The answer to `ping`. */
export interface Pong {
  type: "pong";
  n: number;
}

/** Have the browser told when it is your turn and you are away: the `endpoint` of a push subscription made with the key in `push` of `/api/about`; an empty one stops it. The push carries no content. */
export interface Push {
  type: "push";
  endpoint: string;
}

/** After the game: the same people at a new table. Your token opens your seat there too. */
export interface Rematch {
  type: "rematch";
}

/** Change your token: the old one no longer opens your seats at this table. It is changed here only: at another table that it opens, such as the one of a rematch, it goes on opening your seat until it is renewed there too. */
export interface Renew {
  type: "renew";
}

/** Let a bot play for somebody who is asked and has been away for a while. The person can come back. */
export interface Replace {
  type: "replace";
  seat: number;
  level?: string;
}

/** Give up: a bot plays your seat to the end. */
export interface Resign {
  type: "resign";
}

/** A seat as everybody sees it. `kind` is open, person or bot; `level` is the level of the bot that plays now; `left`: a bot plays for the person; `resigned`: for good; `here`: the person is connected. */
export interface SeatNow {
  seat: number;
  kind: string;
  name?: string;
  level?: string;
  hot?: boolean;
  left?: boolean;
  resigned?: boolean;
  here?: boolean;
}

/** A seat when the table is made: `open` to whoever comes, a `bot` of some level, or `hot`: played at the maker's own device. */
export interface SeatPlan {
  kind?: string;
  name?: string;
  level?: string;
}

/** Sit down at an open seat, any or a certain one. */
export interface Sit {
  name: string;
  seat?: number | null;
}

/** Get up before the game has begun; the seat is open again. */
export interface Stand {
  type: "stand";
}

/** The host: deal now; bots of `level` take the open seats. */
export interface Start {
  type: "start";
  level?: string;
}

/** A table as everybody sees it. `status` is open, playing, over or closed. `commitment` binds the server to its seed from the start; the seed itself is to be had from `verify` and `record` when the game has ended. `asked` are the seats that have still to decide something; what the others have decided is not told before all have. `pace` is the clock; `listed`: whether the table is in the list of open ones; `chosen_seed`: its maker chose the seed and may know the deal; `source` is `record`, or the table from which this one branched or of which it is the rematch; `made` and `updated` are times in seconds since 1970, the latter as the former while the game is on. `outcome`, when it is over: `scores` by seat, the `winners`, the `reason` why it ended, and the `reckoning`, an object of the game's own for each part of it. `followed` is the table of the rematch, `closed` why a table was given up. */
export interface TableNow {
  table: string;
  game: string;
  rules: number;
  options: Record<string, unknown>;
  status: string;
  seats: SeatNow[];
  asked: number[];
  pace: Pace;
  listed: boolean;
  spectators: boolean;
  chosen_seed: boolean;
  source: string;
  commitment: string;
  made: number;
  updated: number;
  outcome?: Record<string, unknown> | null;
  followed?: string;
  closed?: string;
}

/** Somebody sat down, left, came back, connected; or the game began or ended. */
export interface TableSays {
  type: "table";
  table: TableNow;
}

/** Take back your last action, if nobody has learned anything since. `id` as for `act`. */
export interface Undo {
  type: "undo";
  id: string;
  seat?: number | null;
}

/** Something has happened that you may know of. `seq` is one more than that of the update before. If `keep` is there, an action was taken back: of your story only the first `keep` events stand. `choice` is there when it is another one than before, null when you are no longer asked. `view` is there unless updates come thick and fast; then a message `view` follows. `done` acknowledges your `act` or `undo` with this id. */
export interface Update {
  type: "update";
  seq: number;
  events: unknown[];
  keep?: number;
  choice?: ChoiceNow | null;
  undo?: string | null;
  view?: unknown;
  done?: string;
}

/** The view that belongs to update `seq`, where that came without it. */
export interface ViewNow {
  type: "view";
  seq: number;
  view: unknown;
}

/** Have an address called when it is your turn and you are away; an empty `url` stops it. */
export interface Webhook {
  type: "webhook";
  url: string;
}

/** The answer to `hello` and `look`: everything you may know now. `events` are those after the first `keep` of your story; with a `seq` that you had, only what you missed. `undo` says why you cannot take back your last action (null: you can). `run` changes when the server starts. */
export interface Welcome {
  type: "welcome";
  table: TableNow;
  viewer: number | null;
  seats: number[];
  seq: number;
  keep: number;
  events: unknown[];
  view: unknown;
  choice: ChoiceNow | null;
  undo: string | null;
  chat: unknown[];
  run: string;
  host?: boolean;
}

export type Said = Hello | Act | Undo | Look | Chat | Hint | Start | Stand | Leave | Back | Resign | Replace | Rematch | Renew | Close | Webhook | Push | Ping;

export type Says = Welcome | Update | ViewNow | TableSays | ChatSays | Done | Hinted | Error | Pong | Bye;
