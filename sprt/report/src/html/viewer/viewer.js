"use strict";
/* Shows the games that the page embeds. It knows no rules: the data say how the board lies, and what
   every move changes on it. */
(() => {
  const script = document.currentScript;
  const data = JSON.parse(document.getElementById("viewer-data").textContent);
  const part = (name) => document.getElementById("viewer-" + name);
  const dialog = document.getElementById("viewer");
  const board = part("board"), men = part("men"), curve = part("curve");
  /* In tenths of a square, as all that is drawn. */
  const wide = 10 * data.files, high = 10 * data.ranks;
  /* Beyond every game. */
  const END = 1e9;
  /* Of the list, the places of the games that pass the filter. */
  let shown = [], filters = [];
  let list = null, index = 0, ply = 0, flipped = false, game = null, opener = null;

  /* Squares are numbered from the far left corner as in a FEN, rank by rank. */
  const square = (name) =>
    name.charCodeAt(0) - 97 + data.files * (data.ranks - 1 + data.first - Number(name.slice(1)));

  /* After men and turn come words of the game's own, and counters: the number of the move last, and
     in most games that of plies without progress before it. */
  function positionOf(fen) {
    const words = fen.split(" ");
    const [placement, side, ...state] = words.slice(0, data.fields);
    const counters = words.slice(data.fields).map(Number);
    const squares = placement.replace(/\d+/g, (gap) => ".".repeat(Number(gap)))
      .replaceAll("/", "").split("");
    const clock = counters.length > 1 ? counters[0] : null;
    return { squares, side, state, clock, number: counters.at(-1) };
  }

  function play(before, text) {
    const fields = text.split("/");
    const resets = fields[0].endsWith("!");
    const change = resets ? fields[0].slice(0, -1) : fields[0];
    const squares = before.squares.slice();
    const touched = [];
    const step = change.match(/^([a-z]\d+)([a-z]\d+)$/);
    if (step) {
      const [from, to] = [square(step[1]), square(step[2])];
      squares[to] = squares[from];
      squares[from] = ".";
      touched.push(from, to);
    } else {
      for (const [, name, man] of change.matchAll(/([a-z]\d+)(\D)/g)) {
        touched.push(square(name));
        squares[touched.at(-1)] = man;
      }
    }
    const [, san, score, depth, nodes, time, ...words] = fields;
    return {
      squares, touched, san, score, depth, nodes,
      time: time ? Number(time) / 1e4 : null,
      side: before.side === "w" ? "b" : "w",
      state: before.state.map((word, at) => words[at] || word),
      clock: before.clock === null ? null : resets ? 0 : before.clock + 1,
      number: before.number + (before.side === "b" ? 1 : 0),
      mover: before.side, moveNumber: before.number,
    };
  }

  function fenOf(position) {
    const rows = [];
    for (let first = 0; first < position.squares.length; first += data.files) {
      const row = position.squares.slice(first, first + data.files).join("");
      rows.push(row.replace(/\.+/g, (gap) => String(gap.length)));
    }
    const { side, state, clock, number } = position;
    const counters = clock === null ? [number] : [clock, number];
    return [rows.join("/"), side, ...state, ...counters].join(" ");
  }

  function read(given) {
    if (given.positions) return given;
    given.positions = [positionOf(data.starts[given.start])];
    for (const text of given.plies ? given.plies.split(" ") : []) {
      given.positions.push(play(given.positions.at(-1), text));
    }
    return given;
  }

  const element = (name, attributes, text) => {
    const made = document.createElementNS(board.namespaceURI, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const sign = (number) => (number > 0 ? "+" : number < 0 ? "−" : "");
  const nameOf = (color) => data.players[game.players[color === "w" ? 0 : 1]];
  /* The first player of a pair, in a test the candidate, is White in its first game. */
  const classOf = (color) => ((color === "w") === (game.round[1] === 1) ? "cand" : "base");

  function scoreText(score) {
    if (!score) return "";
    if (score[0] === "#") return (score[1] === "-" ? "−" : "+") + "M" + score.replace(/\D/g, "");
    return sign(Number(score)) + (Math.abs(Number(score)) / 100).toFixed(2);
  }

  function numbered(at) {
    const position = game.positions[at];
    return position.moveNumber + (position.mover === "w" ? ". " : "... ") + position.san;
  }

  function drawBoard(position) {
    const place = (at) => {
      const [x, y] = [10 * (at % data.files), 10 * Math.floor(at / data.files)];
      return flipped ? [wide - 10 - x, high - 10 - y] : [x, y];
    };
    const disc = (at, name, r) => {
      const [x, y] = place(at);
      return element("circle", { class: name, cx: x + 5, cy: y + 5, r });
    };
    men.replaceChildren();
    for (const at of position.touched || []) {
      const [x, y] = place(at);
      men.append(data.points ? disc(at, "touched", 5.1)
                             : element("rect", { class: "touched", x, y, width: 10, height: 10 }));
    }
    /* In the corners of squares, or outside of the lines. */
    const [across, down, anchor] = data.points ? [5, 1.8, "middle"] : [9.6, -0.6, "end"];
    for (let step = 0; step < data.files; step++) {
      const file = flipped ? data.files - 1 - step : step;
      men.append(
        element("text", { class: "coordinate", x: 10 * step + across, y: high + down, "text-anchor": anchor },
                String.fromCharCode(97 + file)));
    }
    for (let step = 0; step < data.ranks; step++) {
      const rank = data.first + (flipped ? step : data.ranks - 1 - step);
      const [x, y] = data.points ? [-2, 5.9] : [0.4, 2.9];
      men.append(element("text", { class: "coordinate", x, y: 10 * step + y }, String(rank)));
    }
    position.squares.forEach((piece, at) => {
      if (piece === ".") return;
      const [x, y] = place(at);
      const side = piece === piece.toLowerCase() ? "black-piece" : "white-piece";
      if (data.points) men.append(disc(at, side, 4.4));
      men.append(element("text", { class: side, x: x + 5, y: y + 8, "text-anchor": "middle" },
                         data.figures[piece] || piece.toUpperCase()));
    });
    board.setAttribute("aria-label", "Position " + fenOf(position));
  }

  function drawPlate(plate, color) {
    const mark = document.createElement("i");
    mark.className = classOf(color);
    const role = document.createElement("span");
    role.className = "minor";
    role.textContent = " " + data.colors[color === "w" ? 0 : 1];
    plate.replaceChildren(mark, nameOf(color), role);
  }

  /* Scores are drawn as the share of the points that they promise, roughly. */
  function heightOf(score) {
    const value = score[0] === "#" ? (score[1] === "-" ? -1 : 1)
                                   : 2 / (1 + Math.exp(-Number(score) / 250)) - 1;
    return 40 - 36 * value;
  }

  function drawCurve() {
    const last = game.positions.length - 1;
    const x = (at) => (320 * (at - 0.5)) / Math.max(last, 1);
    const drawn = [element("line", { class: "axis-line", x1: 0, x2: 320, y1: 40, y2: 40 })];
    const longest = Math.max(...game.positions.map((it) => it.time || 0));
    const points = { w: [], b: [] };
    game.positions.forEach((position, at) => {
      if (position.score) {
        points[position.mover].push(x(at).toFixed(1) + "," + heightOf(position.score).toFixed(1));
      }
      if (longest > 0 && position.time) {
        const height = (34 * position.time) / longest;
        drawn.push(element("rect", {
          class: classOf(position.mover), x: (x(at) - 140 / Math.max(last, 1)).toFixed(2),
          y: (118 - height).toFixed(1), width: (280 / Math.max(last, 1)).toFixed(2),
          height: height.toFixed(1) }));
      }
    });
    for (const color of ["w", "b"]) {
      const line = points[color].length === 1 ? points[color].concat(points[color]) : points[color];
      if (line.length) {
        drawn.push(element("polyline", { class: "line " + classOf(color), points: line.join(" ") }));
      }
    }
    drawn.push(element("line", { class: "now", y1: 0, y2: 120 }));
    /* Nothing is drawn of what nobody said. */
    curve.parentElement.hidden = longest === 0 && !points.w.length && !points.b.length;
    curve.setAttribute("viewBox", longest > 0 ? "0 0 320 120" : "0 0 320 80");
    curve.replaceChildren(...drawn);
    part("legend").textContent =
      "Scores, " + data.colors[0] + "’s advantage upwards" +
      (longest > 0 ? "; times below, the longest " + longest.toFixed(3) + " s" : "");
  }

  function drawMoves() {
    const rows = [];
    game.positions.forEach((position, at) => {
      if (at === 0) return;
      if (position.mover === "w" || at === 1) {
        const number = document.createElement("span");
        number.className = "number";
        number.textContent = position.moveNumber + (position.mover === "w" ? "." : "…");
        rows.push(number);
      }
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.textContent = position.san;
      button.dataset.ply = at;
      if (position.mover === "b") button.className = "black-move";
      rows.push(button);
    });
    const end = document.createElement("span");
    end.className = "end";
    end.textContent = game.result + " " + game.ending;
    part("moves").replaceChildren(...rows, end);
  }

  function statusText() {
    const position = game.positions[ply];
    const words = [];
    if (ply === 0) words.push("Start, opening " + game.opening);
    else {
      words.push(numbered(ply));
      if (position.score) words.push(scoreText(position.score));
      if (position.depth) words.push("depth " + position.depth);
      if (position.nodes) {
        const nodes = Number(position.nodes);
        words.push(nodes.toLocaleString("en") + (nodes === 1 ? " node" : " nodes"));
      }
      if (position.time !== null) words.push(position.time.toFixed(3) + " s");
    }
    if (ply === game.positions.length - 1) words.push(game.result + ", " + game.ending);
    return words.join(" · ");
  }

  /* What is disabled loses the focus, which must stay where keys are heard and seen. */
  function disable(button, isDisabled) {
    if (isDisabled && button === document.activeElement) part("stage").focus();
    button.disabled = isDisabled;
  }

  function show() {
    const position = game.positions[ply];
    drawBoard(position);
    drawPlate(part("top"), flipped ? "w" : "b");
    drawPlate(part("bottom"), flipped ? "b" : "w");
    part("status").textContent = statusText();
    const moves = part("moves");
    moves.querySelectorAll("[aria-current]").forEach((it) => {
      it.removeAttribute("aria-current");
      it.tabIndex = -1;
    });
    const current = moves.querySelector('[data-ply="' + (ply || 1) + '"]');
    if (current) {
      current.tabIndex = 0;
      if (ply) current.setAttribute("aria-current", "true");
      /* Only the list scrolls, not what is around it. */
      const above = current.offsetTop - moves.offsetTop;
      if (above < moves.scrollTop || above + current.offsetHeight > moves.scrollTop + moves.clientHeight) {
        moves.scrollTop = above - moves.clientHeight / 2;
      }
    }
    const last = game.positions.length - 1;
    const now = curve.querySelector(".now");
    const x = last ? Math.max(0, (320 * (ply - 0.5)) / last) : 0;
    now.setAttribute("x1", x);
    now.setAttribute("x2", x);
    for (const name of ["first", "back"]) disable(part(name), ply === 0);
    for (const name of ["on", "last"]) disable(part(name), ply === last);
    const link = part("analysis");
    if (link) {
      const fen = encodeURIComponent(fenOf(position)).replaceAll("%2F", "/");
      link.href = data.analysis.replace("{fen}", () => fen);
    }
    part("said").textContent = "";
    remember("#view/" + list.id + "/" + index + "/" + ply);
  }

  function go(to) {
    ply = Math.max(0, Math.min(game.positions.length - 1, to));
    show();
  }

  /* The address says what is shown, so that it can be kept; some browsers refuse that for files. */
  function remember(hash) {
    try {
      history.replaceState(null, "", hash);
    } catch {
      return;
    }
  }

  function openGame(at, where) {
    index = Math.max(0, Math.min(list.games.length - 1, at));
    game = read(data.games[list.games[index]]);
    const place = shown.indexOf(index);
    part("games").selectedIndex = place;
    disable(part("before"), place <= 0);
    disable(part("after"), place === shown.length - 1);
    if (part("moves").contains(document.activeElement)) part("stage").focus();
    drawMoves();
    drawCurve();
    go(where === "end" ? END : Number(where) || 0);
  }

  /* Filters that leave some games of the list, each with its name. */
  function filtersOf(games) {
    const faulty = new Set((data.lists.find((it) => it.id === "faults") || { games: [] }).games);
    const winner = { "1-0": 0, "0-1": 1 };
    const all = [
      ["all", () => true],
      ...data.players.map((name, player) => [
        name + " won", (number) => data.games[number].players[winner[data.games[number].result]] === player,
      ]),
      ["drawn", (number) => data.games[number].result === "1/2-1/2"],
      [data.colors[0] + " won", (number) => data.games[number].result === "1-0"],
      [data.colors[1] + " won", (number) => data.games[number].result === "0-1"],
      ["with faults", (number) => faulty.has(number)],
    ];
    return all.filter(([, passes]) => games.some(passes));
  }

  function choose(filter) {
    shown = [...list.games.keys()].filter((place) => filters[filter][1](list.games[place]));
    part("filter").selectedIndex = filter;
    part("games").replaceChildren(...shown.map((place) => {
      const { round, players, result } = data.games[list.games[place]];
      const names = players.map((player) => data.players[player]).join(" – ");
      return new Option(round.join(".") + ": " + names + ", " + result);
    }));
  }

  function openList(id, at, where) {
    const found = data.lists.find((it) => it.id === id);
    if (!found) return;
    list = found;
    part("title").textContent = list.name;
    part("note").textContent = list.note;
    filters = filtersOf(list.games);
    part("filter").replaceChildren(...filters.map(([name]) => new Option(name)));
    choose(0);
    if (!dialog.open) {
      dialog.showModal();
      part("stage").focus();
    }
    openGame(at, where);
  }

  /* The game so many places on, if there is one. */
  function step(places) {
    const place = shown[shown.indexOf(index) + places];
    if (place !== undefined) openGame(place, 0);
  }

  function follow() {
    const [view, id, at, where] = location.hash.slice(1).split("/");
    if (view === "view") openList(id, Number(at) || 0, where);
    else if (dialog.open) dialog.close();
  }

  const quoted = (text) => '"' + String(text).replace(/[\\"]/g, "\\$&") + '"';

  function comment(position) {
    const words = [];
    if (position.score) {
      const mate = position.score[0] === "#";
      const value = mate ? position.score : (Number(position.score) / 100).toFixed(2);
      words.push("[%eval " + value + "," + (position.depth || 0) + "]");
    }
    if (position.time !== null) {
      const seconds = position.time % 60, minutes = Math.floor(position.time / 60);
      const two = (number) => String(number).padStart(2, "0");
      words.push("[%emt " + Math.floor(minutes / 60) + ":" + two(minutes % 60) + ":" +
                 seconds.toFixed(3).padStart(6, "0") + "]");
    }
    return words.length ? "{" + words.join(" ") + "}" : "";
  }

  function pgn() {
    const start = game.positions[0];
    const tags = [["Event", data.event], ["Site", "?"], ["Date", "????.??.??"],
                  ["Round", game.round.join(".")], ["White", nameOf("w")], ["Black", nameOf("b")],
                  ["Result", game.result]];
    const variant = game.chess960 ? "Chess960" : data.variant;
    if (variant) tags.push(["Variant", variant]);
    tags.push(["SetUp", "1"], ["FEN", fenOf(start)], ["Opening", game.opening],
              ["PlyCount", game.positions.length - 1]);
    const words = [];
    game.positions.forEach((position, at) => {
      if (at === 0) return;
      if (position.mover === "w") words.push(position.moveNumber + ".");
      else if (at === 1) words.push(position.moveNumber + "...");
      words.push(position.san, comment(position));
    });
    words.push("{" + game.ending + "}", game.result);
    let text = tags.map(([name, value]) => "[" + name + " " + quoted(value) + "]\n").join("") + "\n";
    let width = 0;
    for (const word of words.filter((it) => it)) {
      if (width && width + 1 + word.length > 80) {
        text += "\n";
        width = 0;
      }
      text += (width ? " " : "") + word;
      width += word.length + (width ? 1 : 0);
    }
    return text + "\n";
  }

  async function copy(text, what) {
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      /* Where the clipboard is closed to pages from files, the old way may still be open. */
      const area = document.createElement("textarea");
      area.value = text;
      dialog.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
    }
    part("said").textContent = done ? what + " copied" : "The browser does not let pages copy.";
  }

  const flip = () => {
    flipped = !flipped;
    show();
  };
  const STEPS = {
    ArrowLeft: () => go(ply - 1),
    ArrowRight: () => go(ply + 1),
    Home: () => go(0),
    End: () => go(END),
    ArrowUp: () => step(-1),
    ArrowDown: () => step(1),
    f: flip,
    F: flip,
  };
  document.addEventListener("keydown", (event) => {
    const act = dialog.open && STEPS[event.key];
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!act || !isPlain || event.target.tagName === "SELECT") return;
    event.preventDefault();
    act();
  });
  const press = (name, what) => part(name).addEventListener("click", what);
  press("first", STEPS.Home);
  press("back", STEPS.ArrowLeft);
  press("on", STEPS.ArrowRight);
  press("last", STEPS.End);
  press("flip", flip);
  press("before", STEPS.ArrowUp);
  press("after", STEPS.ArrowDown);
  press("close", () => dialog.close());
  press("pgn", () => copy(pgn(), "PGN"));
  press("fen", () => copy(fenOf(game.positions[ply]), "FEN"));
  part("games").addEventListener("change", (event) => openGame(shown[event.target.selectedIndex], 0));
  part("filter").addEventListener("change", (event) => {
    choose(event.target.selectedIndex);
    if (shown.includes(index)) openGame(index, ply);
    else openGame(shown[0], 0);
  });
  part("moves").addEventListener("click", (event) => {
    if (event.target.dataset.ply) go(Number(event.target.dataset.ply));
  });
  curve.addEventListener("click", (event) => {
    const { left, width } = curve.getBoundingClientRect();
    go(Math.ceil(((event.clientX - left) / width) * (game.positions.length - 1)));
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    remember("#");
    if (opener) opener.focus({ preventScroll: true });
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#view/"]');
    if (!link) return;
    opener = link;
    /* The link that is in the address already would change nothing. */
    if (link.getAttribute("href") === location.hash) follow();
  });
  addEventListener("hashchange", follow);
  follow();
  if (script.dataset.refresh) {
    setInterval(() => {
      if (!dialog.open) location.reload();
    }, 1000 * Number(script.dataset.refresh));
  }
})();
