#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 5 };

struct Body {
  double x;
  double y;
  double z;
  double vx;
  double vy;
  double vz;
  double mass;
};

#define SOLAR_MASS (4.0 * M_PI * M_PI)
#define DAYS 365.24

static struct Body bodies[BODIES] = {
  {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, SOLAR_MASS},
  {4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01, 1.66007664274403694e-03 * DAYS,
   7.69901118419740425e-03 * DAYS, -6.90460016972063023e-05 * DAYS, 9.54791938424326609e-04 * SOLAR_MASS},
  {8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01, -2.76742510726411899e-03 * DAYS,
   4.99852801234917238e-03 * DAYS, 2.30417297573763929e-05 * DAYS, 2.85885980666130812e-04 * SOLAR_MASS},
  {1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01, 2.96460137564761618e-03 * DAYS,
   2.37847173959480950e-03 * DAYS, -2.96589568540237556e-05 * DAYS, 4.36624404335156298e-05 * SOLAR_MASS},
  {1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01, 2.68067772490389322e-03 * DAYS,
   1.62824170038242295e-03 * DAYS, -9.51592254519715870e-05 * DAYS, 5.15138902046611451e-05 * SOLAR_MASS}
};

static void advance(double dt) {
  for (int i = 0; i < BODIES; i++) {
    struct Body *a = &bodies[i];
    for (int j = i + 1; j < BODIES; j++) {
      struct Body *b = &bodies[j];
      double dx = a->x - b->x;
      double dy = a->y - b->y;
      double dz = a->z - b->z;
      double square = dx * dx + dy * dy + dz * dz;
      double pull = dt / (square * sqrt(square));
      a->vx -= dx * b->mass * pull;
      a->vy -= dy * b->mass * pull;
      a->vz -= dz * b->mass * pull;
      b->vx += dx * a->mass * pull;
      b->vy += dy * a->mass * pull;
      b->vz += dz * a->mass * pull;
    }
  }
  for (int i = 0; i < BODIES; i++) {
    struct Body *a = &bodies[i];
    a->x += dt * a->vx;
    a->y += dt * a->vy;
    a->z += dt * a->vz;
  }
}

static double energy(void) {
  double e = 0.0;
  for (int i = 0; i < BODIES; i++) {
    struct Body *a = &bodies[i];
    e += 0.5 * a->mass * (a->vx * a->vx + a->vy * a->vy + a->vz * a->vz);
    for (int j = i + 1; j < BODIES; j++) {
      struct Body *b = &bodies[j];
      double dx = a->x - b->x;
      double dy = a->y - b->y;
      double dz = a->z - b->z;
      e -= a->mass * b->mass / sqrt(dx * dx + dy * dy + dz * dz);
    }
  }
  return e;
}

static void offset_momentum(void) {
  double px = 0.0;
  double py = 0.0;
  double pz = 0.0;
  for (int i = 0; i < BODIES; i++) {
    px += bodies[i].vx * bodies[i].mass;
    py += bodies[i].vy * bodies[i].mass;
    pz += bodies[i].vz * bodies[i].mass;
  }
  bodies[0].vx = -px / SOLAR_MASS;
  bodies[0].vy = -py / SOLAR_MASS;
  bodies[0].vz = -pz / SOLAR_MASS;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  offset_momentum();
  printf("%.9f\n", energy());
  for (int i = 0; i < n; i++) advance(0.01);
  printf("%.9f\n", energy());
  return 0;
}
