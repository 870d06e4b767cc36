c++ -std=c++17 start.cpp $(pkg-config --cflags --libs talus) -o start
cc start.c $(pkg-config --cflags --libs talus) -o start_c
