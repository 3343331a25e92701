// Nothing: programs that include it compile, and what C has here is reached by `extern "C include"`.
