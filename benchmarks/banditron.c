// Banditron in plain C: the yardstick for the engine. Compiled and run by speed.py.
//
// usage: banditron ROWS.bin    prints the CPU nanoseconds per round (best of 5 plays) and the mistakes.
//
// ROWS.bin: five int64 (sparse?, rows, features, classes, entries), gamma, then y (int32), the uniform
// number of each round (float64), for sparse rows indptr (int64) and indices (int32), and the values
// (float64). The uniforms are those that onebit draws, so both must make the same mistakes; reading them
// costs this program nothing, while onebit pays for its generator.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int draw(const double *s, int K, double gamma, double u, double *p) {
    int g = 0;
    for (int k = 1; k < K; k++) if (s[k] > s[g]) g = k;
    int y = g;
    if (u < gamma) y = (int)(u / gamma * K);
    *p = (y == g ? 1 - gamma : 0) + gamma / K;
    return y | g << 16;
}

static long dense(const double *X, const int32_t *y, const double *u, long n, int d, int K, double gamma, double *W, double *s) {
    long mistakes = 0;
    for (long t = 0; t < n; t++) {
        const double *x = X + t * d;
        for (int k = 0; k < K; k++) {
            const double *w = W + (long)k * d;
            double a = 0;
            for (int j = 0; j < d; j++) a += w[j] * x[j];
            s[k] = a;
        }
        double p; int r = draw(s, K, gamma, u[t], &p), played = r & 0xffff, greedy = r >> 16;
        double f = played == y[t];
        mistakes += played != y[t];
        if (f) { double c = f / p; double *w = W + (long)played * d; for (int j = 0; j < d; j++) w[j] += c * x[j]; }
        double *v = W + (long)greedy * d;
        for (int j = 0; j < d; j++) v[j] -= x[j];
    }
    return mistakes;
}

static long sparse(const int64_t *ptr, const int32_t *idx, const double *val, const int32_t *y, const double *u, long n, int K,
                   double gamma, double *W, double *s) {
    long mistakes = 0;
    for (long t = 0; t < n; t++) {
        memset(s, 0, K * sizeof *s);
        for (int64_t i = ptr[t]; i < ptr[t + 1]; i++) {
            const double *w = W + (long)idx[i] * K;
            double x = val[i];
            for (int k = 0; k < K; k++) s[k] += w[k] * x;
        }
        double p; int r = draw(s, K, gamma, u[t], &p), played = r & 0xffff, greedy = r >> 16;
        double f = played == y[t];
        mistakes += played != y[t];
        for (int64_t i = ptr[t]; i < ptr[t + 1]; i++) {
            double *w = W + (long)idx[i] * K;
            if (f) w[played] += f / p * val[i];
            w[greedy] -= val[i];
        }
    }
    return mistakes;
}

static double cpu(void) { struct timespec c; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &c); return c.tv_sec + 1e-9 * c.tv_nsec; }

int main(int argc, char **argv) {
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    int64_t h[5];
    double gamma, best = 1e9;
    if (!f || fread(h, 8, 5, f) != 5 || fread(&gamma, 8, 1, f) != 1) return 2;
    long n = h[1], d = h[2], K = h[3], nnz = h[4];
    int32_t *y = malloc(4 * n), *idx = malloc(4 * nnz);
    int64_t *ptr = malloc(8 * (n + 1));
    double *u = malloc(8 * n), *val = aligned_alloc(64, (8 * nnz + 63) / 64 * 64), *W = aligned_alloc(64, (8 * K * d + 63) / 64 * 64), s[1024];
    size_t ok = fread(y, 4, n, f) + fread(u, 8, n, f);
    if (h[0]) ok += fread(ptr, 8, n + 1, f) + fread(idx, 4, nnz, f);
    ok += fread(val, 8, nnz, f);
    if (ok != (size_t)(2 * n + (h[0] ? n + 1 + nnz : 0) + nnz)) return 2;
    long mistakes = 0;
    for (int rep = 0; rep < 5; rep++) {
        memset(W, 0, 8 * K * d);
        double t0 = cpu();
        mistakes = h[0] ? sparse(ptr, idx, val, y, u, n, K, gamma, W, s) : dense(val, y, u, n, d, K, gamma, W, s);
        double t = cpu() - t0;
        if (t < best) best = t;
    }
    printf("%.2f %ld\n", best / n * 1e9, mistakes);
}
