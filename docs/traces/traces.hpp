// Writes traces that `tuner fit --traces` reads: one file, C++17, nothing else needed.
//
// A trace tells what one position counts. With counts c, middlegame values m, endgame values e and
// values v of terms without phases, your evaluation must be, in centipawns from White's view,
//
//     constant + phase * sum c*m + (1 - phase) * scale * sum c*e + sum c*v
//
// Whatever is not fitted goes into `constant`. Indices count the cells of the parameter file from 0.
//
//     traces::TextWriter writer("games.txt");         // or traces::PackedWriter("games.traces", cells)
//     traces::Position position;
//     position.result = 1.0f;                         // White has won this game,
//     position.game = 17;                             // which keeps its positions together
//     position.phase = 18.0f / 24.0f;                 // 1 in the middlegame, 0 in the endgame
//     position.count(index_of_knight, +2 - 1);        // White's less Black's
//     writer.write(position);
//     writer.close();                                 // throws if anything could not be written
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <locale>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace traces {

/// One position.
struct Position {
    float result = 0.5f;         ///< White's points: 0, 0.5, 1
    float phase = 1.0f;          ///< share of the middlegame, 0 to 1
    float scale = 1.0f;          ///< what the endgame half is multiplied by, 0 to 1
    float constant = 0.0f;       ///< what is not fitted: centipawns, White's view
    std::uint32_t game = 0;      ///< number of the game in this file
    std::int16_t score = -32768; ///< search score in centipawns, White's view; -32768: none
    std::map<int, int> counts;   ///< by index

    /// Counts a cell `times` more.
    void count(int index, int times = 1) { counts[index] += times; }
};

namespace detail {

/// A file that says when it cannot be written.
class File {
public:
    explicit File(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
        if (!file_) fail();
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (file_) std::fclose(file_);
    }
    bool is_open() const { return file_ != nullptr; }
    void write(const void* data, std::size_t size) {
        if (!file_ || std::fwrite(data, 1, size, file_) != size) fail();
    }
    void close() {
        std::FILE* file = file_;
        file_ = nullptr;
        if (file && std::fclose(file) != 0) fail();
    }

private:
    [[noreturn]] void fail() const { throw std::runtime_error("cannot write " + path_); }
    std::string path_;
    std::FILE* file_;
};

/// Refuses what the forms have no room for.
inline void check(int index, int times) {
    if (index < 0 || index > 65535 || times < -32768 || times > 32767)
        throw std::out_of_range("an index or a count does not fit in two bytes");
}

/// CRC-32 as zlib computes it.
inline std::uint32_t checksum(const std::string& bytes) {
    std::uint32_t crc = 0xFFFFFFFFu;
    for (unsigned char byte : bytes) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0u);
    }
    return ~crc;
}

inline void put16(std::string& bytes, std::uint32_t value) {
    bytes += static_cast<char>(value & 255);
    bytes += static_cast<char>(value >> 8 & 255);
}

inline void put32(std::string& bytes, std::uint32_t value) {
    put16(bytes, value);
    put16(bytes, value >> 16);
}

inline void put_float(std::string& bytes, float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    put32(bytes, bits);
}

}  // namespace detail

/// Writes the text form: a line a position.
class TextWriter {
public:
    explicit TextWriter(const std::string& path) : file_(path) {}

    void write(const Position& position) {
        std::ostringstream text;
        text.imbue(std::locale::classic());  // numbers have a point, whatever the program's locale
        text.precision(9);
        text << position.result << " phase=" << position.phase << " scale=" << position.scale
             << " game=" << position.game << " constant=" << position.constant;
        if (position.score != -32768) text << " score=" << position.score;
        for (const auto& [index, times] : position.counts) {
            if (times == 0) continue;
            detail::check(index, times);
            text << ' ' << index << ':' << times;
        }
        text << '\n';
        const std::string line = text.str();
        file_.write(line.data(), line.size());
    }

    void close() { file_.close(); }

private:
    detail::File file_;
};

/// Writes the packed form: blocks with checksums. Without `close` the file lacks its end, and is
/// refused.
class PackedWriter {
public:
    /// `cells` is the number of cells in the parameter file.
    PackedWriter(const std::string& path, std::uint32_t cells) : file_(path) {
        std::string head = "KTRACES1";
        detail::put32(head, cells);
        file_.write(head.data(), head.size());
    }

    void write(const Position& position) {
        if (position.counts.size() > 65535) throw std::out_of_range("more than 65,535 counts of a position");
        std::string pairs;
        std::uint32_t count = 0;
        for (const auto& [index, times] : position.counts) {
            if (times == 0) continue;
            detail::check(index, times);
            detail::put16(pairs, static_cast<std::uint32_t>(index));
            detail::put16(pairs, static_cast<std::uint32_t>(times));
            ++count;
        }
        for (float value : {position.result, position.phase, position.scale, position.constant})
            detail::put_float(block_, value);
        detail::put32(block_, position.game);
        detail::put16(block_, static_cast<std::uint16_t>(position.score));
        detail::put16(block_, count);
        block_ += pairs;
        ++records_;
        if (block_.size() > (1u << 20)) flush();
    }

    void close() {
        if (!file_.is_open()) return;
        flush();
        std::string end;
        detail::put32(end, 0);
        detail::put32(end, total_);
        detail::put32(end, 0);
        file_.write(end.data(), end.size());
        file_.close();
    }

private:
    void flush() {
        if (records_ == 0) return;
        std::string head;
        detail::put32(head, static_cast<std::uint32_t>(block_.size()));
        detail::put32(head, records_);
        detail::put32(head, detail::checksum(block_));
        file_.write(head.data(), head.size());
        file_.write(block_.data(), block_.size());
        total_ += records_;
        records_ = 0;
        block_.clear();
    }

    detail::File file_;
    std::string block_;
    std::uint32_t records_ = 0;
    std::uint32_t total_ = 0;
};

}  // namespace traces
