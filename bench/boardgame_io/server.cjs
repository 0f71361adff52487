// A small card game with hidden hands on a boardgame.io server, in production mode and with its usual storage (memory).
// Four seats; a move plays a card and draws another; everybody sees the pile, only the owner a hand. A match has as many
// moves as a game of Equinox between random players.
const { Server, Origins } = require("boardgame.io/server");
const { PlayerView } = require("boardgame.io/core");

const game = {
  name: "fable",
  setup: ({ ctx, random }) => {
    const deck = random.Shuffle([...Array(100).keys()]);
    const players = {};
    for (let seat = 0; seat < ctx.numPlayers; seat++) players[seat] = { hand: deck.splice(0, 8) };
    return { secret: { deck }, players, pile: [], played: 0 };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  endIf: ({ G }) => (G.played >= 147 ? { draw: true } : undefined),
  moves: {
    play: {
      client: false,
      move: ({ G, playerID, random }, index) => {
        const hand = G.players[playerID].hand;
        const [card] = hand.splice(index % hand.length, 1);
        G.pile.push(card);
        if (G.pile.length > 8) G.secret.deck.push(G.pile.shift());
        hand.push(G.secret.deck.splice(random.Die(G.secret.deck.length) - 1, 1)[0]);
        G.played += 1;
      },
    },
  },
};

const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
server.run(Number(process.argv[2]), () => console.log("ready"));
