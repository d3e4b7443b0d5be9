// A toy engine's evaluation, material and square tables, and how it writes traces.
//
//     g++ -std=c++17 -O2 toy_engine.cpp -o toy_engine
//     ./toy_engine parameters > numbers.toml
//     ./toy_engine text positions.book games.txt          # lines as "FEN [1.0]"
//     ./toy_engine packed positions.book games.traces
//     tuner fit --traces games.traces --parameters numbers.toml --output tuned.toml --array tuned.hpp
//
// Or over UCI, where it knows positions and `trace` alone, by `./toy_engine uci`.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include "traces.hpp"

// The cells, in the order of the parameter file.
const int MATERIAL = 0;      // pawn, knight, bishop, rook, queen
const int BISHOP_PAIR = 5;
const int TEMPO = 6;         // without phases
const int SQUARES = 7;       // six tables of 64, from White's view, a1 first
const int CELLS = SQUARES + 6 * 64;

const int VALUES[5][2] = {{90, 110}, {330, 300}, {340, 320}, {480, 530}, {980, 960}};
const char* const NAMES[6] = {"pawn", "knight", "bishop", "rook", "queen", "king"};

void write_parameters() {
    for (int piece = 0; piece < 5; ++piece)
        std::cout << "[[term]]\nname = \"material." << NAMES[piece] << "\"\nvalue = ["
                  << VALUES[piece][0] << ", " << VALUES[piece][1] << "]\nrange = [0, 2000]\n\n";
    std::cout << "[[term]]\nname = \"material.bishop_pair\"\nvalue = [0, 0]\n\n"
              << "[[term]]\nname = \"tempo\"\nvalue = 0\nrange = [-100, 100]\n";
    for (const char* name : NAMES) {
        std::cout << "\n[[term]]\nname = \"squares." << name << "\"\nvalues = [\n";
        for (int rank = 0; rank < 8; ++rank)
            std::cout << "    [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0],\n";
        std::cout << "]\nrange = [-300, 300]\n";
    }
}

// What the evaluation counts in a position. It is the sum of the same terms that an engine would add
// up in play.
void trace(const std::string& board, char mover, traces::Position& position) {
    const std::string letters = "pnbrqk";
    const int phases[6] = {0, 1, 1, 2, 4, 0};
    int phase = 0, bishops[2] = {0, 0}, square = 56;
    for (char letter : board) {
        if (letter == '/') {
            square -= 16;
        } else if (letter >= '1' && letter <= '8') {
            square += letter - '0';
        } else {
            bool black = letter >= 'a';
            int piece = static_cast<int>(letters.find(static_cast<char>(letter | 32)));
            int sign = black ? -1 : 1;
            if (piece < 5) position.count(MATERIAL + piece, sign);
            position.count(SQUARES + 64 * piece + (black ? square ^ 56 : square), sign);
            if (piece == 2) ++bishops[black];
            phase += phases[piece];
            ++square;
        }
    }
    position.count(BISHOP_PAIR, (bishops[0] > 1) - (bishops[1] > 1));
    position.count(TEMPO, mover == 'w' ? 1 : -1);
    position.phase = static_cast<float>(std::min(phase, 24)) / 24.0f;
}

template <typename Writer>
void write_traces(std::istream& book, Writer& writer) {
    std::string line;
    for (std::uint32_t game = 0; std::getline(book, line); ++game) {
        std::istringstream words(line);
        std::string board, mover;
        words >> board >> mover;
        auto bracket = line.rfind('[');
        if (mover.empty() || bracket == std::string::npos)
            throw std::runtime_error("line " + std::to_string(game + 1) + " is no FEN with [result]");
        traces::Position position;
        position.result = std::stof(line.substr(bracket + 1));
        position.game = game;
        trace(board, mover[0], position);
        writer.write(position);
    }
    writer.close();
}

// Answers `trace` over UCI. As it plays no moves, `position` must give a FEN.
void answer() {
    std::string line, word, board, mover;
    std::cout.precision(9);
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        words >> word;
        if (word == "uci") {
            std::cout << "id name toy\nuciok" << std::endl;
        } else if (word == "isready") {
            std::cout << "readyok" << std::endl;
        } else if (word == "position") {
            words >> word >> board >> mover;
        } else if (word == "trace") {
            traces::Position position;
            trace(board, mover[0], position);
            std::cout << "trace phase=" << position.phase;
            for (auto [index, times] : position.counts)
                if (times != 0) std::cout << ' ' << index << ':' << times;
            std::cout << std::endl;
        } else if (word == "quit") {
            return;
        }
    }
}

int main(int count, char** arguments) try {
    const std::string form = count > 1 ? arguments[1] : "";
    if (form == "uci") {
        answer();
        return 0;
    }
    if (form == "parameters") {
        write_parameters();
        return 0;
    }
    if (count != 4 || (form != "text" && form != "packed")) {
        std::cerr << "usage: toy_engine parameters | toy_engine uci | toy_engine (text | packed) BOOK FILE\n";
        return 2;
    }
    std::ifstream book(arguments[2]);
    if (!book) throw std::runtime_error(std::string("cannot read ") + arguments[2]);
    if (form == "text") {
        traces::TextWriter writer(arguments[3]);
        write_traces(book, writer);
    } else {
        traces::PackedWriter writer(arguments[3], CELLS);
        write_traces(book, writer);
    }
    return 0;
} catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
}
