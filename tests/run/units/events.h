@extensible datatype Event { extern Quit };
@extensible datatype Event { extern Key(char); extern Resize };
@extensible datatype exn { extern Unknown_event(int) };
int describe(datatype Event @e);
datatype Event @resize(void);
