(* What every ML programmer writes first. *)
let id x = x
let const x y = x
let compose f g x = f (g x)
let flip f x y = f y x
let s f g x = f x (g x)
let twice f = compose f f
let rec map f xs = match xs with [] -> [] | x :: rest -> f x :: map f rest
let rec fold f start xs = match xs with [] -> start | x :: rest -> fold f (f start x) rest
let rec append xs ys = match xs with | [] -> ys | x :: rest -> x :: append rest ys
let reverse = fold (flip (fun x xs -> x :: xs)) []
let rec filter p xs = match xs with [] -> [] | x :: r -> if p x then x :: filter p r else filter p r
let rec zip both = match both with (x :: xs, y :: ys) -> (x, y) :: zip (xs, ys) | _ -> []
let rec unzip xs = match xs with [] -> ([], []) | (x, y) :: rest -> let (a, b) = unzip rest in (x :: a, y :: b)
let fst (x, _) = x
let curry f x y = f (x, y)
let rec fact n = if n = 0 then 1 else n * fact (n - 1)
let (pair, other) = (fun x -> (x, x), "a" ^ "b")
let unit = ();;
map (fun x -> x + 1) [1; 2; 3];;
(id 3, id true);;
fold (fun n x -> n + 1) 0;;
let k x = let y z = x in y in k 3 "what";;
