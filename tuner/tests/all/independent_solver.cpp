// Minimizes the squared error of text traces by Gauss and Newton's method with damping, densely and
// without a thought for speed: what `tuner fit` must reach, computed in another language.
//
//     independent_solver TRACES STARTS SCALE PULL
//
// STARTS has a line for each cell: "p MIDDLEGAME ENDGAME" or "s VALUE". Prints the least mean squared
// error with the pull.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct Row {
    double result, constant;
    std::vector<std::pair<int, double>> slopes;
};

int main(int, char** arguments) {
    std::vector<double> start;
    std::vector<int> number;  // first number of each cell
    std::vector<bool> pair;
    std::ifstream starts(arguments[2]);
    std::string line;
    while (std::getline(starts, line)) {
        std::istringstream words(line);
        std::string kind;
        double value;
        words >> kind;
        number.push_back(start.size());
        pair.push_back(kind == "p");
        while (words >> value) start.push_back(value);
    }
    const double scale = std::stod(arguments[3]), pull = std::stod(arguments[4]);
    std::vector<Row> rows;
    std::ifstream traces(arguments[1]);
    while (std::getline(traces, line)) {
        std::istringstream words(line);
        std::string word;
        Row row{0, 0, {}};
        double phase = 1, endgame = 1;
        words >> row.result;
        while (words >> word) {
            auto equals = word.find('='), colon = word.find(':');
            if (equals != std::string::npos) {
                double value = std::stod(word.substr(equals + 1));
                if (word[0] == 'p') phase = value;
                if (word[0] == 'c') row.constant = value;
                if (word.rfind("scale", 0) == 0) endgame = value;
            } else {
                int cell = std::stoi(word.substr(0, colon));
                double count = std::stod(word.substr(colon + 1));
                if (pair[cell]) {
                    row.slopes.push_back({number[cell], count * phase});
                    row.slopes.push_back({number[cell] + 1, count * (1 - phase) * endgame});
                } else {
                    row.slopes.push_back({number[cell], count});
                }
            }
        }
        rows.push_back(row);
    }
    const int n = start.size();
    auto total = [&](const std::vector<double>& values) {
        double sum = 0;
        for (const Row& row : rows) {
            double value = row.constant;
            for (auto [index, slope] : row.slopes) value += slope * values[index];
            sum += std::pow(row.result - 1 / (1 + std::exp(-scale * value)), 2);
        }
        for (int i = 0; i < n; ++i) sum += pull * std::pow(values[i] - start[i], 2);
        return sum / rows.size();
    };
    std::vector<double> values = start;
    double best = total(values), damping = 1e-3;
    for (int round = 0, still = 0; round < 200 && still < 3; ++round) {
        std::vector<std::vector<double>> matrix(n, std::vector<double>(n));
        std::vector<double> vector(n);
        for (const Row& row : rows) {
            double value = row.constant;
            for (auto [index, slope] : row.slopes) value += slope * values[index];
            double expected = 1 / (1 + std::exp(-scale * value));
            double steep = scale * expected * (1 - expected);
            for (auto [i, a] : row.slopes) {
                vector[i] += a * steep * (row.result - expected);
                for (auto [j, b] : row.slopes) matrix[i][j] += a * steep * b * steep;
            }
        }
        for (int i = 0; i < n; ++i) {
            vector[i] -= pull * (values[i] - start[i]);
            matrix[i][i] = (matrix[i][i] + pull) * (1 + damping) + 1e-30;
        }
        for (int i = 0; i < n; ++i) {  // Cholesky
            for (int j = 0; j <= i; ++j) {
                double sum = matrix[i][j];
                for (int k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
                matrix[i][j] = i == j ? std::sqrt(sum) : sum / matrix[j][j];
            }
        }
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < i; ++k) vector[i] -= matrix[i][k] * vector[k];
            vector[i] /= matrix[i][i];
        }
        for (int i = n - 1; i >= 0; --i) {
            for (int k = i + 1; k < n; ++k) vector[i] -= matrix[k][i] * vector[k];
            vector[i] /= matrix[i][i];
        }
        std::vector<double> next = values;
        for (int i = 0; i < n; ++i) next[i] += vector[i];
        double found = total(next);
        if (found < best) {
            still = best - found < 1e-12 * best ? still + 1 : 0;
            best = found;
            values = next;
            damping /= 10;
        } else {
            ++still;
            damping *= 10;
        }
    }
    std::printf("%.15g\n", best);
}
